import { isJoining } from './characters.ts';

/**
 * Line breaks in Thai, Lao, Khmer and Burmese, which have no spaces between words. Word lists are large and differ between
 * browsers (Intl.Segmenter), so a line may end between syllables, as far as the spelling shows them: before a letter that
 * begins a syllable. If a text contains U+200B between words, only those breaks count.
 */
interface SyllableRules {
  readonly first: number;
  readonly last: number;
  /** Letters of the script; digits and punctuation follow UAX #14. */
  readonly letter: (codePoint: number) => boolean;
  /** Vowels written before the consonant they follow in speech, and marks that need a closing consonant. */
  readonly holdsNext: ReadonlySet<number>;
  /** Vowels written after their consonant. */
  readonly vowelsAfter: ReadonlySet<number>;
  /** Signs of repetition and abbreviation. */
  readonly signs: ReadonlySet<number>;
  /** Marks that close a syllable or silence a letter: their letter belongs to the syllable before. */
  readonly closes: ReadonlySet<number>;
  /** Whether a consonant without a vowel closes the syllable before it. */
  readonly bareCloses: boolean;
  /** Consonants that begin a syllable together (Thai กร, ปล, ขว): the first ones and the second ones. */
  readonly pairs?: readonly [first: string, second: string];
}

const SCRIPTS: readonly SyllableRules[] = [
  {
    first: 0x0e00,
    last: 0x0e7f,
    letter: (codePoint) => codePoint <= 0x0e3a || (codePoint >= 0x0e40 && codePoint <= 0x0e4e),
    holdsNext: new Set([0x0e40, 0x0e41, 0x0e42, 0x0e43, 0x0e44, 0x0e31, 0x0e37, 0x0e47]),
    vowelsAfter: new Set([0x0e30, 0x0e32, 0x0e33, 0x0e45]),
    signs: new Set([0x0e2f, 0x0e46]),
    closes: new Set([0x0e4c]),
    bareCloses: true,
    pairs: ['กขคตทปผพสจซ', 'รลว'],
  },
  {
    first: 0x0e80,
    last: 0x0eff,
    letter: (codePoint) => codePoint <= 0x0ecd || codePoint >= 0x0edc,
    holdsNext: new Set([0x0ec0, 0x0ec1, 0x0ec2, 0x0ec3, 0x0ec4, 0x0eb1, 0x0ebb]),
    vowelsAfter: new Set([0x0eb0, 0x0eb2, 0x0eb3, 0x0ebd]),
    signs: new Set([0x0eaf, 0x0ec6]),
    closes: new Set([0x0ecc]),
    bareCloses: true,
  },
  {
    first: 0x1000,
    last: 0x109f,
    letter: (codePoint) => codePoint <= 0x103f || (codePoint >= 0x1050 && codePoint <= 0x108f),
    holdsNext: new Set([0x1039]),
    vowelsAfter: new Set(),
    signs: new Set(),
    closes: new Set([0x1039, 0x103a]),
    bareCloses: false,
  },
  {
    first: 0x1780,
    last: 0x17ff,
    letter: (codePoint) => codePoint <= 0x17d3 || codePoint === 0x17d7 || codePoint === 0x17dc,
    holdsNext: new Set([0x17d2]),
    vowelsAfter: new Set(),
    signs: new Set([0x17d7]),
    closes: new Set([0x17cd]),
    bareCloses: true,
  },
];

const ZERO_WIDTH_SPACE = '\u200b';

/** Whether a text contains such letters and no breaks of its own between them. */
export function hasSyllableScript(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x0e00 && unit <= 0x17ff && rulesOf(unit) !== undefined) {
      return !text.includes(ZERO_WIDTH_SPACE);
    }
  }
  return false;
}

/**
 * Whether a line may end at `at`, where the cluster that began at `from` ends and the next one, which ends at `to`,
 * begins. A cluster is a letter with its marks.
 */
export function mayEndSyllable(text: string, from: number, at: number, to: number): boolean {
  const before = text.charCodeAt(from);
  const next = text.charCodeAt(at);
  const rules = rulesOf(next);
  if (rules === undefined || rules !== rulesOf(before)) return false;
  if (!rules.letter(next) || !rules.letter(before)) return false;
  if (rules.vowelsAfter.has(next) || rules.signs.has(next)) return false;
  if (holdsAny(text, from, at, rules.holdsNext) || holdsAny(text, at, to, rules.closes)) return false;
  if (at - from === 1 && isPair(text, from, at, rules)) return false;
  return !rules.bareCloses || to - at > 1 || rules.holdsNext.has(next) || beginsWithNext(text, at, to, rules);
}

/** Whether a letter without marks begins a syllable by what follows it: a vowel, or the second of a pair. */
function beginsWithNext(text: string, at: number, to: number, rules: SyllableRules): boolean {
  if (rules.vowelsAfter.has(text.charCodeAt(to))) return true;
  return isPair(text, at, to, rules) && text.length > to + 1 && isVowel(text.charCodeAt(to + 1), rules);
}

function isPair(text: string, first: number, second: number, { pairs }: SyllableRules): boolean {
  return pairs?.[0].includes(text.charAt(first)) === true && pairs[1].includes(text.charAt(second));
}

const isVowel = (unit: number, { vowelsAfter, closes }: SyllableRules) =>
  vowelsAfter.has(unit) || (isJoining(unit) && !closes.has(unit));

function holdsAny(text: string, from: number, to: number, units: ReadonlySet<number>): boolean {
  for (let index = from; index < to; index += 1) if (units.has(text.charCodeAt(index))) return true;
  return false;
}

function rulesOf(unit: number): SyllableRules | undefined {
  for (const rules of SCRIPTS) if (unit >= rules.first && unit <= rules.last) return rules;
  return undefined;
}
