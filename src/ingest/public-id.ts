import type { Ids } from '../lib/ids.ts';

/**
 * Ids as partners see them, `<kind>-<ULID>`. A ULID is 128 bits in Crockford's base 32; the database keeps the
 * same bits as a uuid, which is smaller and sorts the same way.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export function publicId(kind: string, uuid: string): string {
  // 128 bits are 26 digits of 5 bits with two zero bits in front.
  let text = `${kind}-`;
  let bits = 2;
  let held = 0;
  for (let i = 0; i < uuid.length; i += 1) {
    const digit = hexDigit(uuid.charCodeAt(i));
    if (digit < 0) continue;
    held = (held << 4) | digit;
    bits += 4;
    if (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(held >> bits) & 31];
      held &= (1 << bits) - 1;
    }
  }
  return text;
}

function hexDigit(code: number): number {
  if (code >= 97) return code - 87;
  return code === 45 ? -1 : code - 48;
}

/** Undefined for what cannot be one of our ids of that kind. */
export function parsePublicId(kind: string, text: string): string | undefined {
  const ulid = text.slice(kind.length + 1).toUpperCase();
  if (!text.startsWith(`${kind}-`) || !ULID.test(ulid)) return undefined;
  return uuidOf(ulid);
}

function uuidOf(ulid: string): string {
  let value = 0n;
  for (const letter of ulid) value = value * 32n + BigInt(ALPHABET.indexOf(letter));
  const hex = value.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Many ids at once: one ULID, counted up. Ids of one batch are in order and side by side in the index, and a
 * million of them do not take a million calls for randomness.
 */
export function idSequence(ids: Ids): () => string {
  const first = uuidOf(ids.ulid());
  const head = first.slice(0, 24);
  // 2^47 leaves room to count without carrying into the other half.
  let next = Number.parseInt(first.slice(24), 16) % 2 ** 47;
  return () => {
    next += 1;
    return head + next.toString(16).padStart(12, '0');
  };
}
