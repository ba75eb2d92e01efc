import { canonicalDigest } from '#engine/requests/request-identity.ts';
import type { ComparedBody } from '#http/idempotency/idempotent-requests.ts';
import type { ColumnInput } from '#lib/rows/labelled-rows.ts';
import type { CreateForm } from './read-form.ts';
import type { ResolvedForm } from './resolve-source.ts';

/**
 * Digests of what a create request executes and delivers. Field order, boundaries, file names, JSON white space and
 * omitted defaults do not count.
 */
export interface EffectiveBody extends ComparedBody {
  readonly digest: Buffer;
  readonly parts: Readonly<Record<string, string>>;
  /** Digest of the work without its delivery. */
  readonly work: Buffer;
}

/** The part for the row input as it was sent. If it is equal, the rows are equal and need not be read. */
export const RAW_ROWS = 'rows_raw';

/** The part for the project as it was named. It is not compared: its files are. */
export const PROJECT_NAMED = 'project';

/** The part for the names of the input's columns, if they are matched by label. */
const COLUMN_NAMES = 'columns';

export type KeyedHash = (text: string) => string;
/** Hashes with the current installation secret, then with each earlier one that is not retired. */
export type KeyedHashes = (text: string) => readonly string[];

/**
 * Returns the hash with the installation secret that the earlier request was hashed with, so that a replay is recognized
 * after the secret was rotated.
 */
export function hashLike(hashes: KeyedHashes, earlier: Readonly<Record<string, string>>): KeyedHash {
  return (text) => {
    const all = hashes(text);
    return all.find((hash) => hash === earlier.webhook_secret) ?? all[0] ?? missingSecret();
  };
}

function missingSecret(): never {
  throw new Error('bug: this installation has no secret');
}

export function effectiveBody(
  form: ResolvedForm,
  rowsDigest: string,
  engine: string,
  keyedHash: KeyedHash,
  columns?: readonly ColumnInput[],
): EffectiveBody {
  const delivered = deliveryParts(form, keyedHash);
  // The manifest lists the names of the input, so equal rows below other names are other work.
  const named = columns === undefined ? {} : { [COLUMN_NAMES]: short(columns) };
  const others = { ...fileParts(form), ...optionParts(form), ...named };
  // A stored selection counts by its name: a repeated request is equal even if the selection has grown.
  const rows = form.rows.format === 'stored' ? rawRows(form) : rowsDigest;
  return {
    digest: canonicalDigest({ ...others, rows, ...delivered }),
    parts: { ...others, rows, ...delivered, [RAW_ROWS]: rawRows(form), ...namedProject(form) },
    work: canonicalDigest({ ...others, rows: rowsDigest, engine }),
  };
}

/**
 * Returns whether a request is certainly equal to an earlier one, without reading its rows: every part except the
 * normalised rows is equal, and so are the raw bytes of the row input.
 */
export function isSameUnread(
  form: ResolvedForm,
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
  // The normalised rows have no digest yet; the digest of the raw rows replaces it.
  names.delete('rows');
  // Equal files and options give equal names.
  names.delete(COLUMN_NAMES);
  names.delete(PROJECT_NAMED);
  return [...names].every((name) => earlier[name] === now[name]);
}

function fileParts(form: ResolvedForm): Record<string, string> {
  const { pdf, package: sealed, assets } = form;
  return {
    pdf: pdf.sha256,
    doqlo_file: sealed.sha256,
    ...(assets !== undefined && { assets_file: assets.sha256 }),
  };
}

function namedProject({ source }: CreateForm): Record<string, string> {
  return source.kind === 'project' ? { [PROJECT_NAMED]: namedDigest(source.reference.text) } : {};
}

/** The part of a project that a request names with this text. */
export function namedDigest(text: string): string {
  return short(text);
}

function optionParts(form: CreateForm): Record<string, string> {
  const options = Object.entries(form.options).map(([name, value]) => [name, short(value)]);
  // The default is left out, as requests were compared before the option existed.
  if (form.matchColumns === 'label') options.push(['match_columns', short('label')]);
  return Object.fromEntries(options);
}

function deliveryParts({ delivery }: CreateForm, keyedHash: KeyedHash): Record<string, string> {
  if (delivery.mode === 'response') return { delivery_mode: short('response') };
  return {
    delivery_mode: short('webhook'),
    webhook_url: short(delivery.url),
    webhook_secret: keyedHash(delivery.secret),
  };
}

/** Digest of the row input as it was sent, with the options that decide how this format is read. */
function rawRows({ rows, csvHeader, csvEncoding, cellValues }: CreateForm): string {
  const sha256 = rows.format === 'stored' ? rows.sha256 : rows.part.sha256;
  const headed = rows.format === 'csv' || rows.format === 'xlsx';
  const reading = rows.format === 'csv' ? [csvEncoding ?? null] : rows.format === 'xlsx' ? [cellValues] : [];
  return short([rows.format, headed && csvHeader, sha256, ...reading]);
}

const short = (value: unknown) => canonicalDigest(value).toString('hex').slice(0, 32);
