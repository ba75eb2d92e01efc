import { hasProtoMember, isDeeperThan } from '#lib/parse-json.ts';
import type { ReadItem } from '../pipeline/prepare-items.ts';
import { refuseInexactIntegers } from './exact-numbers.ts';
import {
  isUnread,
  MAX_ITEM_DEPTH,
  type PayloadFormat,
  type PayloadSlice,
  UnreadablePayload,
} from './payload-slice.ts';

const OVERSIZED = 'is larger than an item may be (1 MiB)';
const TOO_DEEP = `is nested more than ${MAX_ITEM_DEPTH} deep`;
const POISONED: ReadItem = { ok: false, reason: 'has a member named __proto__' };

/** The items of a slice, from its bytes (which an unread one does not need). */
export function readSlice(format: PayloadFormat, slice: PayloadSlice, bytes: Buffer): ReadItem[] {
  if (isUnread(slice)) {
    const reason = slice.oversized === true ? OVERSIZED : TOO_DEEP;
    return [slice.line === undefined ? { ok: false, reason } : atLine(slice.line, reason)];
  }
  return format === 'json' ? readJson(bytes) : readLines(bytes, slice.line ?? 1);
}

/** Throws `UnreadablePayload`: of a JSON document that is broken in one place, no place can be trusted. */
export function readJson(bytes: Buffer): ReadItem[] {
  const text = decode(bytes);
  if (text === undefined) throw new UnreadablePayload('The body is not UTF-8.');
  let values: unknown[];
  try {
    values = parseExactly(`[${text}]`) as unknown[];
  } catch {
    throw new UnreadablePayload('The body is not valid JSON.');
  }
  return values.map(mayBePoisoned(text) ? refusePoisoned : accept);
}

function readLines(bytes: Buffer, firstLine: number): ReadItem[] {
  // Decoding once is faster; but a broken character must only cost its own line.
  const text = decode(bytes);
  const lines = text === undefined ? splitBytes(bytes) : text.split('\n');
  const items: ReadItem[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === undefined) items.push(atLine(firstLine + at, 'is not UTF-8'));
    else if (!BLANK.test(line)) items.push(readLine(line, firstLine + at));
  }
  return items;
}

const BLANK = /^[ \t\r]*$/;

function splitBytes(bytes: Buffer): (string | undefined)[] {
  const lines: (string | undefined)[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const newline = bytes.indexOf(0x0a, from);
    const end = newline === -1 ? bytes.length : newline;
    lines.push(decode(bytes.subarray(from, end)));
    from = end + 1;
  }
  return lines;
}

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

function decode(bytes: Buffer): string | undefined {
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

/** A member named `__proto__` becomes a prototype once objects are copied; its letters may be escaped. */
function mayBePoisoned(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u');
}

function refusePoisoned(value: unknown): ReadItem {
  return hasProtoMember(value) ? POISONED : { ok: true, value };
}
