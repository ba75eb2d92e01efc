import { hasProtoMember, isDeeperThan } from '#lib/parse-json.ts';
import { linesOf } from '#lib/records/lines.ts';
import { RecordsRefused } from '#lib/records/records-refused.ts';
import { isUnread, type Slice } from '#lib/records/slice.ts';
import type { ReadItem } from '../pipeline/prepare-items.ts';
import { refuseInexactIntegers } from './exact-numbers.ts';
import { MAX_ITEM_DEPTH, type PayloadFormat } from './payload-slice.ts';

const OVERSIZED = 'is larger than the limit of 1 MiB';
const TOO_DEEP = `is nested more than ${MAX_ITEM_DEPTH} levels deep`;
const POISONED: ReadItem = { ok: false, reason: 'has a member named __proto__' };

/** Reads the items of a slice from its bytes. An unread slice needs no bytes. */
export function readSlice(format: PayloadFormat, slice: Slice, bytes: Buffer): ReadItem[] {
  if (isUnread(slice)) {
    const reason = slice.oversized === true ? OVERSIZED : TOO_DEEP;
    return [slice.line === undefined ? { ok: false, reason } : atLine(slice.line, reason)];
  }
  return format === 'json' ? readJson(bytes) : readLines(bytes, slice.line ?? 1);
}

/** Throws `RecordsRefused` if any item is not JSON: the rest of such a document cannot be trusted. */
export function readJson(bytes: Buffer): ReadItem[] {
  const text = decode(bytes);
  if (text === undefined) throw new RecordsRefused('encoding', 'The body is not UTF-8.');
  let values: unknown[];
  try {
    values = parseExactly(`[${text}]`) as unknown[];
  } catch {
    throw new RecordsRefused('format', 'The body is not valid JSON.');
  }
  return values.map(mayBePoisoned(text) ? refusePoisoned : accept);
}

function readLines(bytes: Buffer, firstLine: number): ReadItem[] {
  // Decoding once is faster, but an invalid character must reject its own line only.
  const text = decode(bytes);
  const lines = text === undefined ? Array.from(linesOf(bytes), decode) : text.split('\n');
  const items: ReadItem[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === undefined) items.push(atLine(firstLine + at, 'is not UTF-8'));
    else if (!BLANK.test(line)) items.push(readLine(line, firstLine + at));
  }
  return items;
}

const BLANK = /^[ \t\r]*$/;

function readLine(text: string, line: number): ReadItem {
  if (isDeeperThan(text, MAX_ITEM_DEPTH)) return atLine(line, TOO_DEEP);
  try {
    const value = parseExactly(line === 1 ? text.replace(/^\uFEFF/, '') : text);
    return mayBePoisoned(text) ? refusePoisoned(value) : { ok: true, value };
  } catch {
    return atLine(line, 'is not valid JSON');
  }
}

function atLine(line: number, reason: string): ReadItem {
  return { ok: false, reason: `line ${line} ${reason}` };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseExactly(text: string): unknown {
  return JSON.parse(refuseInexactIntegers(text));
}

const accept = (value: unknown): ReadItem => ({ ok: true, value });

/** A member named `__proto__` becomes a prototype when an object is copied. Its letters may be escaped. */
function mayBePoisoned(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u');
}

function refusePoisoned(value: unknown): ReadItem {
  return hasProtoMember(value) ? POISONED : { ok: true, value };
}
