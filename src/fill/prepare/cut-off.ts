/**
 * A truncated PDF. A complete one ends with `startxref`, an offset and `%%EOF` (ISO 32000-2 §7.5.5). An object after the last
 * `startxref`, or no `startxref` at all, means that the end of the file is missing. A parser that scans for objects still
 * opens such a file, but its pages have lost text and pictures.
 */
export interface CutOff {
  /** The number of the truncated object; null if the file ends between objects. */
  readonly unfinished: number | null;
}

const STARTXREF = codesOf('startxref');
const ENDOBJ = codesOf('endobj');
const OBJ = codesOf('obj');
/** `4294967295 65535 obj` and some white space. */
const LONGEST_HEAD = 40;

export function findCutOff(bytes: Uint8Array): CutOff | null {
  const end = lastIndexOf(bytes, STARTXREF, 0);
  const object = lastObject(bytes, end < 0 ? 0 : end);
  if (object === null) return end < 0 ? { unfinished: null } : null;
  return { unfinished: lastIndexOf(bytes, ENDOBJ, object.at) < 0 ? object.number : null };
}

/** Finds the last `n g obj` at or after `from`. */
function lastObject(bytes: Uint8Array, from: number): { at: number; number: number } | null {
  for (let at = lastIndexOf(bytes, OBJ, from); at >= 0; at = lastIndexOf(bytes, OBJ, from, at - 1)) {
    let head = '';
    for (const byte of bytes.subarray(Math.max(from, at - LONGEST_HEAD), at))
      head += String.fromCharCode(byte);
    const match = /(\d{1,10})\s+\d{1,5}\s+$/.exec(head);
    if (match !== null) return { at, number: Number(match[1]) };
  }
  return null;
}

function lastIndexOf(
  bytes: Uint8Array,
  word: readonly number[],
  from: number,
  before = bytes.length,
): number {
  const [first = 0] = word;
  // A start below zero would be counted from the end.
  for (let at = before; at >= from; at -= 1) {
    at = bytes.lastIndexOf(first, at);
    if (at < from) return -1;
    if (word.every((code, index) => bytes[at + index] === code)) return at;
  }
  return -1;
}

function codesOf(word: string): number[] {
  return [...word].map((letter) => letter.charCodeAt(0));
}
