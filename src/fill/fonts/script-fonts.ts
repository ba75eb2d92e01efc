import { eastAsian, type FaceFiles, packaged, packageOf, single, upright } from './face-files.ts';

/**
 * Scripts that need an optional font package. An installed package is used without further settings; a missing one is
 * named in the row's note. Script ranges are blocks of Unicode 15.
 */
export interface ScriptFont {
  /** Its English name, as a message shows it. */
  readonly script: string;
  readonly files: FaceFiles;
  readonly blocks: readonly (readonly [first: number, last: number])[];
}

type Blocks = ScriptFont['blocks'];

const noto = (script: string, blocks: Blocks): ScriptFont => ({
  script,
  files: upright(packaged(`noto-sans-${script.toLowerCase()}`, `NotoSans${script}`)),
  blocks,
});

const notoRegular = (script: string, stem: string, blocks: Blocks): ScriptFont => ({
  script,
  files: single(packaged(`noto-sans-${stem.toLowerCase()}`, `NotoSans${stem}`)),
  blocks,
});

const HAN: Blocks = [
  [0x2e80, 0x303f],
  [0x31c0, 0x31ef],
  [0x3200, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff65],
  [0x20000, 0x3ffff],
];
const KANA: Blocks = [
  [0x3040, 0x30ff],
  [0x31f0, 0x31ff],
  [0xff66, 0xff9f],
];
const HANGUL: Blocks = [
  [0x1100, 0x11ff],
  [0x3130, 0x318f],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
  [0xffa0, 0xffdc],
];

/**
 * Japanese and Traditional Chinese come before Simplified Chinese, the only one that is installed by default: an operator
 * who installs another one has chosen its shapes.
 */
export const EAST_ASIAN_FONTS: readonly ScriptFont[] = [
  { script: 'Japanese', files: eastAsian('jp', 'NotoSansJP'), blocks: KANA },
  { script: 'Traditional Chinese', files: eastAsian('tc', 'NotoSansHant'), blocks: [[0x3100, 0x312f]] },
  { script: 'Han', files: eastAsian('sc', 'NotoSansHans'), blocks: HAN },
  { script: 'Hangul', files: eastAsian('kr', 'NotoSansKR'), blocks: HANGUL },
];

export const SCRIPT_FONTS: readonly ScriptFont[] = [
  noto('Armenian', [
    [0x0530, 0x058f],
    [0xfb13, 0xfb17],
  ]),
  noto('Syriac', [
    [0x0700, 0x074f],
    [0x0860, 0x086f],
  ]),
  noto('Thaana', [[0x0780, 0x07bf]]),
  notoRegular('N’Ko', 'NKo', [[0x07c0, 0x07ff]]),
  noto('Bengali', [[0x0980, 0x09ff]]),
  noto('Gurmukhi', [[0x0a00, 0x0a7f]]),
  noto('Gujarati', [[0x0a80, 0x0aff]]),
  noto('Oriya', [[0x0b00, 0x0b7f]]),
  noto('Tamil', [
    [0x0b80, 0x0bff],
    [0x11fc0, 0x11fff],
  ]),
  noto('Telugu', [[0x0c00, 0x0c7f]]),
  noto('Kannada', [[0x0c80, 0x0cff]]),
  noto('Malayalam', [[0x0d00, 0x0d7f]]),
  noto('Sinhala', [
    [0x0d80, 0x0dff],
    [0x111e0, 0x111ff],
  ]),
  noto('Lao', [[0x0e80, 0x0eff]]),
  {
    script: 'Tibetan',
    files: upright(packaged('noto-serif-tibetan', 'NotoSerifTibetan')),
    blocks: [[0x0f00, 0x0fff]],
  },
  noto('Myanmar', [
    [0x1000, 0x109f],
    [0xa9e0, 0xa9ff],
    [0xaa60, 0xaa7f],
  ]),
  noto('Georgian', [
    [0x10a0, 0x10ff],
    [0x1c90, 0x1cbf],
    [0x2d00, 0x2d2f],
  ]),
  noto('Ethiopic', [
    [0x1200, 0x139f],
    [0x2d80, 0x2ddf],
    [0xab00, 0xab2f],
  ]),
  noto('Cherokee', [
    [0x13a0, 0x13ff],
    [0xab70, 0xabbf],
  ]),
  noto('Khmer', [
    [0x1780, 0x17ff],
    [0x19e0, 0x19ff],
  ]),
  notoRegular('Mongolian', 'Mongolian', [[0x1800, 0x18af]]),
];

/** Every package that may be missing from an installation. */
export const OPTIONAL_FONT_PACKAGES: readonly string[] = [...SCRIPT_FONTS, ...EAST_ASIAN_FONTS].map(
  ({ files }) => packageOf(files),
);

/** Returns the optional font that has a character, if any. */
export function scriptFontFor(codePoint: number): ScriptFont | undefined {
  for (const fonts of [SCRIPT_FONTS, EAST_ASIAN_FONTS]) {
    for (const font of fonts) {
      if (font.blocks.some(([first, last]) => codePoint >= first && codePoint <= last)) return font;
    }
  }
  return undefined;
}
