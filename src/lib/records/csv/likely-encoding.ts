import { likelyDoubleByte } from './likely-double-byte.ts';

/**
 * Guesses the encoding of a text: a label of the Encoding Standard, or null if no guess is better than chance. Only for advice to people: no
 * file is decoded by a guess. The result depends on the bytes alone. Written here because known detectors compare groups of three letters, and
 * a file of names and towns has too few of them (docs/decisions/0113-cells-of-foreign-files.md).
 */
export function likelyEncoding(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const [first, second, third] = sample;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const wide = likelyUtf16(sample);
  if (wide !== undefined) return wide;
  if (decoded('utf-8', sample, true) !== null) return 'utf-8';
  const best = { label: null as string | null, score: 0 };
  for (const [label, letters] of SINGLE_BYTE) {
    const text = decoded(label, sample, false);
    const score = text === null ? 0 : scoreOf(text, letters);
    // Strictly greater: with equal scores the more common encoding, which is listed first, wins.
    if (score > best.score) Object.assign(best, { label, score });
  }
  const double = likelyDoubleByte(sample);
  return double !== null && double.score > best.score ? double.label : best.label;
}

const SAMPLE_BYTES = 65_536;

/** Detects UTF-16 without a byte order mark: the NULs of ASCII characters are all in the same half. Null means NULs, but not UTF-16. */
function likelyUtf16(sample: Uint8Array): string | null | undefined {
  let even = 0;
  let odd = 0;
  for (const [at, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  if (even + odd === 0) return undefined;
  if (Math.max(even, odd) * 8 < sample.length || Math.min(even, odd) * 20 > Math.max(even, odd)) return null;
  return even > odd ? 'utf-16be' : 'utf-16le';
}

/** `partial` means that the sample may end inside a character. */
function decoded(label: string, sample: Uint8Array, partial: boolean): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(sample, { stream: partial });
  } catch {
    return null;
  }
}

/** Letters that are common in the languages of an encoding, and those that are less so. */
interface Letters {
  readonly common: ReadonlySet<string>;
  readonly rare: ReadonlySet<string>;
  /** Whether words mix these letters with ASCII letters. In other scripts no word mixes the two. */
  readonly latin: boolean;
}

const latin = (common: string, rare: string): Letters => ({
  common: new Set(common),
  rare: new Set(rare),
  latin: true,
});
const other = (common: string, rare: string): Letters => ({ ...latin(common, rare), latin: false });

const WESTERN = latin('äöüßéèêàâçôùûîñáíóúãåæø', 'ëïìòõýœðþÿ');
const CENTRAL = latin('ąćęłńóśźżáčéěířšúůžőöüä', 'ďňťýűľâîăşţđĺôß');
const CYRILLIC = other('оеаинтсрвлкмдпуя', 'ыьгзбчйхжшюцщэфъёіїєґўјљњћђџ');
const SINGLE_BYTE: readonly (readonly [string, Letters])[] = [
  ['windows-1252', WESTERN],
  ['windows-1250', CENTRAL],
  ['iso-8859-2', CENTRAL],
  ['windows-1254', latin('çğıöşü', 'âîû')],
  ['windows-1251', CYRILLIC],
  ['koi8-r', CYRILLIC],
  ['ibm866', CYRILLIC],
  ['windows-1253', other('αεηιοστνρκλμπυςάέήίόύώ', 'βγδζθξφχψωϊϋΐΰ')],
  ['windows-1255', other('אבהוילמנרשת', 'גדזחטךכםןסעףפץצק')],
  ['windows-1256', other('ابتدرسعلمنهوي', 'ةثجحخذزشصضطظغفقكىءأإآؤئ')],
  ['windows-874', other('กงดตนมยรลวสหอาเ', 'ขคจชซณถทธบปผพฟภศษะัิีึืุูแโใไ่้๊็์')],
  ['macintosh', WESTERN],
];

const ASCII_LETTER = /[A-Za-z]/;
const LETTER = /\p{L}/u;
/** Signs in tables that are next to letters but not part of a word. */
const SIGNS = new Set('€£§°–—’‘“”„«»…©®²³½·№\u00a0');

function scoreOf(text: string, letters: Letters): number {
  let score = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char > '\x7f') score += worthOf(char, text.charAt(at - 1), text.charAt(at + 1), letters);
  }
  return score;
}

/** Returns a score from -3 (does not occur in a text) to 2 (a common letter in a usual position). */
function worthOf(
  char: string,
  before: string,
  after: string,
  { common, rare, latin: isLatin }: Letters,
): number {
  if (SIGNS.has(char)) return isLetter(before) && isLetter(after) && char !== '’' ? -2 : 0;
  if (!LETTER.test(char) && !common.has(char) && !rare.has(char)) {
    return char < '\xa0' ? -3 : isLetter(before) || isLetter(after) ? -2 : -0.5;
  }
  const small = char.toLowerCase();
  const value = common.has(small) ? 2 : rare.has(small) ? 1 : -1.5;
  if (value < 0) return value;
  // "jÄger", "JÄger", "иМЯ": a capital inside a word suggests another encoding.
  if (char === small ? isCapital(after) : isLetter(before) && (isSmall(before) || isSmall(after))) return -2;
  if (!isLetter(before) && !isLetter(after)) return value / 4;
  if (!isLatin) return ASCII_LETTER.test(before) || ASCII_LETTER.test(after) ? -2 : value;
  return isAccented(before) || isAccented(after) ? value / 4 : value;
}

const isLetter = (char: string) => LETTER.test(char);
const isAccented = (char: string) => char > '\x7f' && LETTER.test(char);
const isCapital = (char: string) => char !== char.toLowerCase();
const isSmall = (char: string) =>
  isLetter(char) && char === char.toLowerCase() && char !== char.toUpperCase();
