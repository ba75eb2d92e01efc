import { embed, type FaceFiles, four, single, upright } from './face-files.ts';
import { EAST_ASIAN_FONTS, SCRIPT_FONTS } from './script-fonts.ts';

/**
 * The faces that come with the engine, named by their path below node_modules. All are TrueType or OpenType files
 * under the SIL Open Font License (docs/THIRD-PARTY-FONTS.md).
 *
 * Arimo, Tinos and Cousine have the advance widths of Helvetica, Times and Courier, which most forms use. Text on such a
 * form, or in one of its fields, therefore has the width that the designer planned for.
 */
export interface FaceStyle {
  readonly bold: boolean;
  readonly italic: boolean;
}

export const BUILT_IN_FAMILIES: Readonly<Record<'sans' | 'serif' | 'mono', FaceFiles>> = {
  sans: four('arimo', 'Arimo'),
  serif: four('tinos', 'Tinos'),
  mono: four('cousine', 'Cousine'),
};

/**
 * Searched in this order for a character that the overlay's own face lacks. Text faces come before symbol faces,
 * because symbol faces have Latin letters too. Families of optional packages that are not installed are skipped
 * (script-fonts.ts). Only an Arabic face whose letters are whole glyphs is suitable: newer ones draw the dots as separate
 * glyphs, which a PDF's text cannot represent.
 */
export const FALLBACK_FAMILIES: readonly FaceFiles[] = [
  BUILT_IN_FAMILIES.sans,
  embed('arabic', 'NotoNaskhArabic', 'ttf'),
  upright('noto-sans-devanagari', 'NotoSansDevanagari'),
  upright('noto-sans-thai', 'NotoSansThai'),
  ...SCRIPT_FONTS.map(({ files }) => files),
  ...EAST_ASIAN_FONTS.map(({ files }) => files),
  single('noto-sans-math', 'NotoSansMath'),
  single('noto-sans-symbols-2', 'NotoSansSymbols2'),
  upright('noto-sans-symbols', 'NotoSansSymbols'),
  upright('noto-emoji', 'NotoEmoji'),
];

/** Returns the file for a style, or the nearest one that the family has. */
export function fileFor(files: FaceFiles, { bold, italic }: FaceStyle): string {
  const exact = bold ? (italic ? files.bold_italic : files.bold) : italic ? files.italic : files.regular;
  return exact ?? (bold ? files.bold : undefined) ?? files.regular;
}
