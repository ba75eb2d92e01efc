/**
 * What the text setter must know of a character. The tables are ours, not the JavaScript engine's (`\p{…}`, Intl):
 * those change with the Unicode version of each browser, and a row's bytes must not. They are coarse on purpose;
 * the fine knowledge of a script lives in harfbuzz.
 */
type Ranges = readonly (readonly [first: number, last: number])[];

/** Marks, joiners, variation selectors, skin tones: they belong to the character before them. */
const JOINING: Ranges = [
  [0x0300, 0x036f],
  [0x0483, 0x0489],
  [0x0591, 0x05bd],
  [0x05bf, 0x05bf],
  [0x05c1, 0x05c2],
  [0x05c4, 0x05c5],
  [0x05c7, 0x05c7],
  [0x0610, 0x061a],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x06d6, 0x06dc],
  [0x06df, 0x06e4],
  [0x06e7, 0x06e8],
  [0x06ea, 0x06ed],
  [0x0711, 0x0711],
  [0x0730, 0x074a],
  [0x0816, 0x082d],
  [0x0859, 0x085b],
  [0x08d3, 0x0903],
  [0x093a, 0x093c],
  [0x093e, 0x094f],
  [0x0951, 0x0957],
  [0x0962, 0x0963],
  [0x0981, 0x0983],
  [0x09bc, 0x09bc],
  [0x09be, 0x09cd],
  [0x0a01, 0x0a03],
  [0x0a3c, 0x0a4d],
  [0x0b82, 0x0b82],
  [0x0bbe, 0x0bcd],
  [0x0c3e, 0x0c56],
  [0x0cbc, 0x0cd6],
  [0x0d3e, 0x0d4d],
  [0x0e31, 0x0e31],
  [0x0e34, 0x0e3a],
  [0x0e47, 0x0e4e],
  [0x0eb1, 0x0eb1],
  [0x0eb4, 0x0ebc],
  [0x0ec8, 0x0ecd],
  [0x0f71, 0x0f84],
  [0x0f8d, 0x0fbc],
  [0x102b, 0x103e],
  [0x17b4, 0x17d3],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x200c, 0x200d],
  [0x20d0, 0x20f0],
  [0x302a, 0x302f],
  [0x3099, 0x309a],
  [0xfb1e, 0xfb1e],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0x1f3fb, 0x1f3ff],
  [0xe0020, 0xe007f],
  [0xe0100, 0xe01ef],
];

/** Default ignorables (Unicode §5.21): they steer the text and have no picture. */
const IGNORABLE: Ranges = [
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const RIGHT_TO_LEFT: Ranges = [
  [0x0590, 0x08ff],
  [0x200f, 0x200f],
  [0x202b, 0x202b],
  [0x202e, 0x202e],
  [0x2067, 0x2067],
  [0xfb1d, 0xfdff],
  [0xfe70, 0xfefc],
  [0x10800, 0x10fff],
  [0x1e800, 0x1efff],
];

/** Scripts whose letters change with their neighbours, with their ISO 15924 tags. */
const SHAPED_SCRIPTS: readonly (readonly [first: number, last: number, script: string])[] = [
  [0x0590, 0x05ff, 'Hebr'],
  [0x0600, 0x06ff, 'Arab'],
  [0x0700, 0x074f, 'Syrc'],
  [0x0750, 0x077f, 'Arab'],
  [0x0780, 0x07bf, 'Thaa'],
  [0x07c0, 0x07ff, 'Nkoo'],
  [0x0800, 0x083f, 'Samr'],
  [0x0840, 0x085f, 'Mand'],
  [0x0860, 0x086f, 'Syrc'],
  [0x0870, 0x08ff, 'Arab'],
  [0x0900, 0x097f, 'Deva'],
  [0x0980, 0x09ff, 'Beng'],
  [0x0a00, 0x0a7f, 'Guru'],
  [0x0a80, 0x0aff, 'Gujr'],
  [0x0b00, 0x0b7f, 'Orya'],
  [0x0b80, 0x0bff, 'Taml'],
  [0x0c00, 0x0c7f, 'Telu'],
  [0x0c80, 0x0cff, 'Knda'],
  [0x0d00, 0x0d7f, 'Mlym'],
  [0x0d80, 0x0dff, 'Sinh'],
  [0x0e00, 0x0e7f, 'Thai'],
  [0x0e80, 0x0eff, 'Laoo'],
  [0x0f00, 0x0fff, 'Tibt'],
  [0x1000, 0x109f, 'Mymr'],
  [0x1100, 0x11ff, 'Hang'],
  [0x1780, 0x17ff, 'Khmr'],
  [0x1800, 0x18af, 'Mong'],
  [0xa8e0, 0xa8ff, 'Deva'],
  [0xfb1d, 0xfb4f, 'Hebr'],
  [0xfb50, 0xfdff, 'Arab'],
  [0xfe70, 0xfefe, 'Arab'],
];

const REGIONAL_INDICATORS: Ranges = [[0x1f1e6, 0x1f1ff]];

export const isJoining = (codePoint: number) => codePoint >= 0x0300 && within(JOINING, codePoint);
export const isIgnorable = (codePoint: number) => codePoint >= 0xad && within(IGNORABLE, codePoint);
export const isRightToLeft = (codePoint: number) => codePoint >= 0x0590 && within(RIGHT_TO_LEFT, codePoint);
export const isRegionalIndicator = (codePoint: number) =>
  codePoint >= 0x1f1e6 && within(REGIONAL_INDICATORS, codePoint);

/** C0 and C1 controls that are neither white space nor line ends: nothing sensible can be drawn for them. */
export const isControl = (codePoint: number) => codePoint < 0x20 || (codePoint >= 0x7f && codePoint <= 0x9f);

/** The script to shape with, or undefined where a character map and plain advances are enough. */
export function shapedScript(codePoint: number): string | undefined {
  if (codePoint < 0x0590 || codePoint > 0xfefe) return undefined;
  for (const [first, last, script] of SHAPED_SCRIPTS) {
    if (codePoint >= first && codePoint <= last) return script;
  }
  return undefined;
}

function within(ranges: Ranges, codePoint: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range === undefined || codePoint < range[0]) high = middle - 1;
    else if (codePoint > range[1]) low = middle + 1;
    else return true;
  }
  return false;
}
