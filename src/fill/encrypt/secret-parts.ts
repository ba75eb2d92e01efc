import { encryptedLength } from './row-cipher.ts';

/** A part of an object: syntax that stays as it is, or the plain bytes of a string or a stream. */
export interface ObjectPart {
  readonly kind: 'syntax' | 'string' | 'stream';
  readonly bytes: Uint8Array;
}

const LESS = 0x3c;
const GREATER = 0x3e;
const OPEN = 0x28;
const CLOSE = 0x29;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const encoder = new TextEncoder();

/**
 * Splits the body of an object, as our own writers write it, into what is encrypted and what is not. /Length of a stream
 * becomes that of the ciphertext. A stream with a crypt filter of its own stays plain, as its filter says (ISO 32000-2
 * §7.4.10): encrypted sources are decrypted during prepare, so only the identity filter remains.
 */
export function secretParts(body: Uint8Array): readonly ObjectPart[] {
  const parts: ObjectPart[] = [];
  let from = 0;
  let at = 0;
  let depth = 0;
  let length: { readonly start: number; readonly end: number } | undefined;
  let hasCryptFilter = false;
  const cut = (end: number) => {
    if (end > from) parts.push({ kind: 'syntax', bytes: body.subarray(from, end) });
  };
  while (at < body.length) {
    const code = body[at];
    if (code === LESS && body[at + 1] === LESS) {
      depth += 1;
      at += 2;
    } else if (code === GREATER && body[at + 1] === GREATER) {
      depth -= 1;
      at += 2;
      const data = depth === 0 ? streamStart(body, at) : undefined;
      if (data === undefined || length === undefined) continue;
      if (hasCryptFilter) break;
      const plainLength = Number(text(body.subarray(length.start, length.end)));
      // Our writers put /Length last.
      if (length.start < from) throw new Error('bug: a string follows /Length in a stream dictionary');
      cut(length.start);
      parts.push({ kind: 'syntax', bytes: encoder.encode(String(encryptedLength(plainLength))) });
      from = length.end;
      cut(data);
      parts.push({ kind: 'stream', bytes: body.subarray(data, data + plainLength) });
      from = data + plainLength;
      break;
    } else if (code === LESS || code === OPEN) {
      const string = code === LESS ? hexString(body, at) : literalString(body, at);
      cut(at);
      parts.push({ kind: 'string', bytes: string.bytes });
      at = string.end;
      from = at;
    } else if (code === SLASH) {
      const end = nameEnd(body, at + 1);
      const name = text(body.subarray(at + 1, end));
      at = end;
      if (name === 'Crypt') hasCryptFilter = true;
      if (depth === 1 && name === 'Length') length = digits(body, end);
    } else at += 1;
  }
  cut(body.length);
  return parts;
}

const STREAM = /^\s*stream\r?\n/;

/** The position of the data, if a stream begins after this dictionary. */
function streamStart(body: Uint8Array, at: number): number | undefined {
  const found = STREAM.exec(text(body.subarray(at, at + 16)));
  return found === null ? undefined : at + found[0].length;
}

function digits(body: Uint8Array, at: number): { readonly start: number; readonly end: number } | undefined {
  let start = at;
  while (body[start] === 0x20) start += 1;
  let end = start;
  while (isDigit(body[end])) end += 1;
  return end > start ? { start, end } : undefined;
}

function hexString(body: Uint8Array, at: number): { readonly bytes: Uint8Array; readonly end: number } {
  const end = body.indexOf(GREATER, at);
  if (end === -1) throw new Error('bug: a string is not closed');
  let found = text(body.subarray(at + 1, end)).replace(/\s+/g, '');
  if (found.length % 2 === 1) found += '0';
  const bytes = new Uint8Array(found.length / 2);
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = Number.parseInt(found.slice(index * 2, index * 2 + 2), 16);
  return { bytes, end: end + 1 };
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

function literalString(body: Uint8Array, at: number): { readonly bytes: Uint8Array; readonly end: number } {
  const bytes: number[] = [];
  let depth = 1;
  let index = at + 1;
  for (; index < body.length; index += 1) {
    const code = body[index] ?? 0;
    if (code === BACKSLASH) {
      index += 1;
      const octal = /^[0-7]{1,3}/.exec(text(body.subarray(index, index + 3)))?.[0];
      if (octal !== undefined) {
        bytes.push(Number.parseInt(octal, 8) & 255);
        index += octal.length - 1;
      } else if (body[index] === 0x0d && body[index + 1] === 0x0a) index += 1;
      else if (body[index] !== 0x0a && body[index] !== 0x0d)
        bytes.push(ESCAPES[String.fromCharCode(body[index] ?? 0)] ?? body[index] ?? 0);
      continue;
    }
    if (code === OPEN) depth += 1;
    if (code === CLOSE) depth -= 1;
    if (depth === 0) return { bytes: Uint8Array.from(bytes), end: index + 1 };
    bytes.push(code);
  }
  throw new Error('bug: a string is not closed');
}

/** White space and delimiters end a name (ISO 32000-2 §7.2.3). */
const ENDS_NAME = new Set([...'\0\t\n\f\r ()<>[]{}/%'].map((char) => char.charCodeAt(0)));

function nameEnd(body: Uint8Array, at: number): number {
  let end = at;
  while (end < body.length && !ENDS_NAME.has(body[end] ?? 0)) end += 1;
  return end;
}

const isDigit = (code: number | undefined) => code !== undefined && code >= 0x30 && code <= 0x39;

function text(bytes: Uint8Array): string {
  let result = '';
  for (const byte of bytes) result += String.fromCharCode(byte);
  return result;
}
