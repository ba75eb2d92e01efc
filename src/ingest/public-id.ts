import { type IdPart, splitShortened } from '#lib/id-part.ts';
import type { Ids } from '#lib/ids.ts';

/**
 * Ids as partners see them, `<kind>-<ULID>`. A ULID is 128 bits in Crockford's base 32. The database stores the same
 * bits as a uuid, which is smaller and sorts in the same order.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** All pairs of digits: converts ten bits at a time, so that a million ids take a third of a second. */
const PAIRS = Array.from({ length: 1024 }, (_, i) => `${ALPHABET[i >> 5]}${ALPHABET[i & 31]}`);

export function publicId(kind: string, uuid: string): string {
  // 128 bits are 26 digits of 5 bits with two zero bits in front: 8 bits, then 6 times 20.
  const hex = uuid.replaceAll('-', '');
  let text = `${kind}-${PAIRS[Number.parseInt(hex.slice(0, 2), 16)]}`;
  for (let at = 2; at < 32; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16);
    text += PAIRS[bits >> 10];
    text += PAIRS[bits & 1023];
  }
  return text;
}

/** Returns undefined if the text is not an id of that kind. */
export function parsePublicId(kind: string, text: string): string | undefined {
  const ulid = text.slice(kind.length + 1).toUpperCase();
  if (!text.startsWith(`${kind}-`) || !ULID.test(ulid)) return undefined;
  return uuidOf(ulid);
}

const SOME_DIGITS = /^[0-9A-HJKMNP-TV-Z]*$/;
const ULID_DIGITS = 26;
/** Fewer digits would match by chance. */
const MIN_DIGITS = 4;

/**
 * Reads a shortened id (`job-…7Q4V1X2Z`) or the beginning of one. Bits of the end that are not a whole hexadecimal digit
 * are left out.
 */
export function publicIdParts(kind: string, text: string): IdPart[] {
  const { begin, end } = splitShortened(text) ?? { begin: text, end: '' };
  const [first, last] = [begin.slice(kind.length + 1).toUpperCase(), end.toUpperCase()];
  const digits = first.length + last.length;
  if (!begin.startsWith(`${kind}-`) || digits < MIN_DIGITS || digits > ULID_DIGITS) return [];
  if (!SOME_DIGITS.test(first) || !SOME_DIGITS.test(last) || /^[89A-Z]/.test(first)) return [];
  const highest = first === '' ? '7' : first;
  const hex = uuidOf(last.padStart(ULID_DIGITS, '0')).replaceAll('-', '');
  return [
    {
      from: uuidOf(first.padEnd(ULID_DIGITS, '0')),
      to: uuidOf(highest.padEnd(ULID_DIGITS, 'Z')),
      end: hex.slice(hex.length - Math.floor((last.length * 5) / 4)),
    },
  ];
}

function uuidOf(ulid: string): string {
  let value = 0n;
  for (const letter of ulid) value = value * 32n + BigInt(ALPHABET.indexOf(letter));
  const hex = value.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Makes many ids from one ULID by counting up. Ids of one batch are in order and adjacent in the index, and a million of them need
 * one random number.
 */
export function idSequence(ids: Ids): () => string {
  const first = uuidOf(ids.ulid());
  const head = first.slice(0, 24);
  // 2^47 leaves space to count without a carry into the other half.
  let next = Number.parseInt(first.slice(24), 16) % 2 ** 47;
  return () => {
    next += 1;
    return head + next.toString(16).padStart(12, '0');
  };
}
