import { bundled, type FaceFiles, four, single, upright } from './face-files.ts';
import { EAST_ASIAN_FONTS, SCRIPT_FONTS } from './script-fonts.ts';

/**
 * The faces that come with the engine, in the folder `fonts` (fonts/README.md lists their origins and licences), and after
 * them those of optional packages.
 *
 * Arimo, Tinos and Cousine have the advance widths of Helvetica, Times and Courier, which most forms use. Text on such a
 * form, or in one of its fields, therefore has the width that the designer planned for.
 */
export interface FaceStyle {
  readonly bold: boolean;
  readonly italic: boolean;
}

export const BUILT_IN_FAMILIES: Readonly<Record<'sans' | 'serif' | 'mono', FaceFiles>> = {
  sans: four(bundled('arimo', 'Arimo')),
  serif: four(bundled('tinos', 'Tinos')),
  mono: four(bundled('cousine', 'Cousine')),
};

/**
 * Searched in this order for a character that the overlay's own face lacks. Text faces come before symbol faces,
 * because symbol faces have Latin letters too. Families of optional packages that are not installed are skipped
 * (script-fonts.ts). Only an Arabic face whose letters are whole glyphs is suitable: newer ones draw the dots as separate
 * glyphs, which a PDF's text cannot represent.
 */
export const FALLBACK_FAMILIES: readonly FaceFiles[] = [
  BUILT_IN_FAMILIES.sans,
  upright(bundled('noto-naskh-arabic', 'NotoNaskhArabic')),
  upright(bundled('noto-sans-devanagari', 'NotoSansDevanagari')),
  upright(bundled('noto-sans-thai', 'NotoSansThai')),
  ...SCRIPT_FONTS.map(({ files }) => files),
  ...EAST_ASIAN_FONTS.map(({ files }) => files),
  single(bundled('noto-sans-math', 'NotoSansMath')),
  single(bundled('noto-sans-symbols-2', 'NotoSansSymbols2')),
  upright(bundled('noto-sans-symbols', 'NotoSansSymbols')),
  upright(bundled('noto-emoji', 'NotoEmoji')),
];

/** The files of every family, whether installed or not. */
export const ALL_FACES: readonly string[] = [
  ...new Set(
    [...Object.values(BUILT_IN_FAMILIES), ...FALLBACK_FAMILIES]
      .flatMap((family): (string | undefined)[] => Object.values(family))
      .filter((file) => file !== undefined),
  ),
];

/** Returns the file for a style, or the nearest one that the family has. */
export function fileFor(files: FaceFiles, style: FaceStyle): string {
  const { bold } = style;
  return exactFile(files, style) ?? (bold ? files.bold : undefined) ?? files.regular;
}

/** Whether the family has a file of its own for the style. */
export function hasStyle(files: FaceFiles, style: FaceStyle): boolean {
  return exactFile(files, style) !== undefined;
}

function exactFile(files: FaceFiles, { bold, italic }: FaceStyle): string | undefined {
  return bold ? (italic ? files.bold_italic : files.bold) : italic ? files.italic : files.regular;
}
