/**
 * Encodings with two bytes per character, scored by the rows of their code tables that contain common characters. Their ranges overlap, so
 * every pair is scored in each of them, and the highest sum wins.
 */
interface DoubleByte {
  readonly label: string;
  isPair(lead: number, trail: number): boolean;
  worthOf(lead: number, trail: number): number;
}

const between = (byte: number, from: number, to: number) => byte >= from && byte <= to;
const isEuc = (lead: number, trail: number) => between(lead, 0xa1, 0xfe) && between(trail, 0xa1, 0xfe);

const ENCODINGS: readonly DoubleByte[] = [
  {
    label: 'shift_jis',
    isPair: (lead, trail) =>
      (between(lead, 0x81, 0x9f) || between(lead, 0xe0, 0xfc)) &&
      (between(trail, 0x40, 0x7e) || between(trail, 0x80, 0xfc)),
    // Kana are in rows 82 and 83, common kanji in rows 88 to 97.
    worthOf: (lead) => (between(lead, 0x81, 0x83) ? 2 : between(lead, 0x88, 0x97) ? 1.5 : -2),
  },
  {
    label: 'euc-jp',
    isPair: isEuc,
    worthOf: (lead) =>
      between(lead, 0xa4, 0xa5) ? 2.2 : between(lead, 0xb0, 0xcf) ? 1.2 : lead === 0xa1 ? 1 : -1,
  },
  // The syllables fill 25 rows; the Chinese characters after them are rare in modern Korean texts.
  {
    label: 'euc-kr',
    isPair: isEuc,
    worthOf: (lead) => (between(lead, 0xb0, 0xc8) ? 2 : lead === 0xa1 ? 0.5 : -2),
  },
  {
    label: 'gb18030',
    isPair: (lead, trail) => between(lead, 0x81, 0xfe) && between(trail, 0x40, 0xfe) && trail !== 0x7f,
    worthOf: (lead, trail) =>
      trail < 0xa1 ? -2 : between(lead, 0xb0, 0xd7) ? 1.6 : between(lead, 0xa1, 0xa3) ? 0.5 : -1,
  },
  {
    label: 'big5',
    isPair: (lead, trail) =>
      between(lead, 0x81, 0xfe) && (between(trail, 0x40, 0x7e) || between(trail, 0xa1, 0xfe)),
    worthOf: (lead) => (between(lead, 0xa4, 0xc6) ? 1.5 : lead === 0xa1 ? 0.5 : -1.5),
  },
];

export function likelyDoubleByte(
  bytes: Uint8Array,
): { readonly label: string; readonly score: number } | null {
  let best: { readonly label: string; readonly score: number } | null = null;
  for (const encoding of ENCODINGS) {
    const score = scoreIn(encoding, bytes);
    if (score !== null && score > (best?.score ?? 0)) best = { label: encoding.label, score };
  }
  return best;
}

/** Returns null if the bytes are not in this encoding. */
function scoreIn({ isPair, worthOf }: DoubleByte, bytes: Uint8Array): number | null {
  let score = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    const trail = bytes[at + 1];
    // The sample may end inside a character.
    if (trail === undefined) break;
    if (!isPair(lead, trail)) return null;
    // One letter of a word in a single-byte encoding (`Jürgen`) also looks like a pair, but has ASCII letters around it.
    const isAmongAscii = isAsciiLetter(bytes[at - 1]) || (trail < 0x80 && isAsciiLetter(bytes[at + 2]));
    // Twice, because a pair is compared with two letters of the other encodings.
    score += isAmongAscii ? -4 : 2 * worthOf(lead, trail);
    at += 1;
  }
  return score;
}

const isAsciiLetter = (byte: number | undefined) => byte !== undefined && between(byte | 0x20, 0x61, 0x7a);
