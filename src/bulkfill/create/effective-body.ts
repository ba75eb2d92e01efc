import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { CreateForm } from './read-form.ts';

/**
 * What a create request stands for: what will be executed and delivered. Field order, boundaries, file names,
 * JSON white space and omitted defaults make no difference; each named part has its own digest, so that a
 * conflict can say which one differs.
 */
export interface EffectiveBody {
  readonly digest: Buffer;
  readonly parts: Readonly<Record<string, string>>;
  /** The same work, however it is delivered. */
  readonly work: Buffer;
}

/** The row input as it came, before it is read: equal bytes are equal rows, without looking at them. */
export const RAW_ROWS = 'rows_raw';

export type KeyedHash = (text: string) => string;
/** Under the current installation secret, then under each earlier one that is not retired. */
export type KeyedHashes = (text: string) => readonly string[];

/**
 * Hashes as the earlier request did, if that used a secret that has been replaced since: a repeated request
 * stays the same request across a rotation.
 */
export function hashLike(hashes: KeyedHashes, earlier: Readonly<Record<string, string>>): KeyedHash {
  return (text) => {
    const all = hashes(text);
    return all.find((hash) => hash === earlier.webhook_secret) ?? all[0] ?? missingSecret();
  };
}

function missingSecret(): never {
  throw new Error('bug: an installation without a secret');
}

export function effectiveBody(
  form: CreateForm,
  rowsDigest: string,
  engine: string,
  keyedHash: KeyedHash,
): EffectiveBody {
  const delivered = deliveryParts(form, keyedHash);
  const others = { ...fileParts(form), ...optionParts(form) };
  // A stored selection is named, not sent: a retry means the same request although the selection has grown since.
  const rows = form.rows.format === 'stored' ? rawRows(form) : rowsDigest;
  return {
    digest: digestOf({ ...others, rows, ...delivered }),
    parts: { ...others, rows, ...delivered, [RAW_ROWS]: rawRows(form) },
    work: digestOf({ ...others, rows: rowsDigest, engine }),
  };
}

/**
 * Whether a request is surely the same as an earlier one, told without reading its rows: every part but the
 * normalised rows is equal, and so are the raw bytes of the row input.
 */
export function isSameUnread(
  form: CreateForm,
  earlier: Readonly<Record<string, string>>,
  keyedHash: KeyedHash,
): boolean {
  const now: Record<string, string> = {
    ...fileParts(form),
    ...optionParts(form),
    ...deliveryParts(form, keyedHash),
    [RAW_ROWS]: rawRows(form),
  };
  const names = new Set([...Object.keys(earlier), ...Object.keys(now)]);
  // The digest of the normalised rows is not known yet; that of the raw rows stands in for it.
  names.delete('rows');
  return [...names].every((name) => earlier[name] === now[name]);
}

function fileParts(form: CreateForm): Record<string, string> {
  const { pdf, package: sealed, assets } = form;
  return {
    pdf: pdf.sha256,
    doqlo_file: sealed.sha256,
    ...(assets !== undefined && { assets_file: assets.sha256 }),
  };
}

function optionParts(form: CreateForm): Record<string, string> {
  return Object.fromEntries(Object.entries(form.options).map(([name, value]) => [name, short(value)]));
}

function deliveryParts({ delivery }: CreateForm, keyedHash: KeyedHash): Record<string, string> {
  if (delivery.mode === 'response') return { delivery_mode: short('response') };
  return {
    delivery_mode: short('webhook'),
    webhook_url: short(delivery.url),
    webhook_secret: keyedHash(delivery.secret),
  };
}

/** With everything that decides how the bytes are read, as far as it concerns their format. */
function rawRows({ rows, csvHeader, csvEncoding, cellValues }: CreateForm): string {
  const sha256 = rows.format === 'stored' ? rows.sha256 : rows.part.sha256;
  const headed = rows.format === 'csv' || rows.format === 'xlsx';
  const reading = rows.format === 'csv' ? [csvEncoding ?? null] : rows.format === 'xlsx' ? [cellValues] : [];
  return short([rows.format, headed && csvHeader, sha256, ...reading]);
}

export function digestOf(value: unknown): Buffer {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest();
}

const short = (value: unknown) => digestOf(value).toString('hex').slice(0, 32);
