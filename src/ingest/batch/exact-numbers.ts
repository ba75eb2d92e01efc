import { isInexactInteger } from '#lib/inexact-integer.ts';
import { endOfString } from '#lib/parse-json.ts';

/** Finds candidates cheaply: a text without a number of this many digits is not searched further. */
const LONG_INTEGER = /[:,[\s-]\d{16}/;
/** JSON.parse turns it into Infinity, which no schema accepts. */
const UNACCEPTABLE = '1e999';

/**
 * Replaces integers that a double cannot represent: an id that comes back changed is worse than a rejected item. A
 * reviver of JSON.parse would see them too, but takes half a second per megabyte.
 */
export function refuseInexactIntegers(text: string): string {
  if (!LONG_INTEGER.test(text)) return text;
  let replaced = '';
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      if (end - at >= 16 && isInexactInteger(text.slice(at, end))) {
        replaced += text.slice(kept, at) + UNACCEPTABLE;
        kept = end;
      }
      at = end - 1;
    }
  }
  return replaced + text.slice(kept);
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

/** Skips digits, point, exponent and its sign: `1e16` is one number, not one that ends with an integer. */
function endOfNumber(text: string, from: number): number {
  let end = from;
  while (isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
}

/** Whether the code is a digit, `+`, `-`, `.`, `E` or `e`. NaN, after the end of the text, is none of them. */
function isOfNumber(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65;
}
