/**
 * The faces that come with the engine, named by their path below node_modules. All are TrueType or OpenType files
 * under the SIL Open Font License (docs/THIRD-PARTY-FONTS.md).
 *
 * Arimo, Tinos and Cousine have the advance widths of Helvetica, Times and Courier, the faces most forms are set
 * in: text put over such a form, or into one of its fields, takes the room its designer measured.
 */
export interface FaceStyle {
  readonly bold: boolean;
  readonly italic: boolean;
}

export interface FaceFiles {
  readonly regular: string;
  readonly bold?: string | undefined;
  readonly italic?: string | undefined;
  readonly bold_italic?: string | undefined;
}

const expo = (family: string, stem: string, style: string) =>
  `@expo-google-fonts/${family}/${style}/${stem}_${style}.ttf`;

const four = (family: string, stem: string): FaceFiles => ({
  regular: expo(family, stem, '400Regular'),
  bold: expo(family, stem, '700Bold'),
  italic: expo(family, stem, '400Regular_Italic'),
  bold_italic: expo(family, stem, '700Bold_Italic'),
});

const upright = (family: string, stem: string): FaceFiles => ({
  regular: expo(family, stem, '400Regular'),
  bold: expo(family, stem, '700Bold'),
});

const single = (family: string, stem: string): FaceFiles => ({ regular: expo(family, stem, '400Regular') });

const embed = (region: string, stem: string, kind: 'ttf' | 'otf'): FaceFiles => ({
  regular: `@embedpdf/fonts-${region}/fonts/${stem}-Regular.${kind}`,
  bold: `@embedpdf/fonts-${region}/fonts/${stem}-Bold.${kind}`,
});

export const BUILT_IN_FAMILIES: Readonly<Record<'sans' | 'serif' | 'mono', FaceFiles>> = {
  sans: four('arimo', 'Arimo'),
  serif: four('tinos', 'Tinos'),
  mono: four('cousine', 'Cousine'),
};

/**
 * Asked in this order for a character that the overlay's own face lacks. Text faces stand before symbol faces,
 * because symbol faces carry Latin letters too. The CJK families are optional packages: those that are not
 * installed are passed over. Of the Arabic faces only one whose letters are whole glyphs will do: newer ones draw
 * the dots as glyphs of their own, for which a PDF's text has no place.
 */
export const FALLBACK_FAMILIES: readonly FaceFiles[] = [
  BUILT_IN_FAMILIES.sans,
  embed('arabic', 'NotoNaskhArabic', 'ttf'),
  upright('noto-sans-devanagari', 'NotoSansDevanagari'),
  upright('noto-sans-thai', 'NotoSansThai'),
  embed('sc', 'NotoSansHans', 'otf'),
  embed('jp', 'NotoSansJP', 'otf'),
  embed('kr', 'NotoSansKR', 'otf'),
  embed('tc', 'NotoSansHant', 'otf'),
  single('noto-sans-math', 'NotoSansMath'),
  single('noto-sans-symbols-2', 'NotoSansSymbols2'),
  upright('noto-sans-symbols', 'NotoSansSymbols'),
  upright('noto-emoji', 'NotoEmoji'),
];

/** The file for a style, or the nearest one the family has. */
export function fileFor(files: FaceFiles, { bold, italic }: FaceStyle): string {
  const exact = bold ? (italic ? files.bold_italic : files.bold) : italic ? files.italic : files.regular;
  return exact ?? (bold ? files.bold : undefined) ?? files.regular;
}
