/** The files of one family, named by their path below node_modules. */
export interface FaceFiles {
  readonly regular: string;
  readonly bold?: string | undefined;
  readonly italic?: string | undefined;
  readonly bold_italic?: string | undefined;
}

const expo = (family: string, stem: string, style: string) =>
  `@expo-google-fonts/${family}/${style}/${stem}_${style}.ttf`;

export const four = (family: string, stem: string): FaceFiles => ({
  regular: expo(family, stem, '400Regular'),
  bold: expo(family, stem, '700Bold'),
  italic: expo(family, stem, '400Regular_Italic'),
  bold_italic: expo(family, stem, '700Bold_Italic'),
});

export const upright = (family: string, stem: string): FaceFiles => ({
  regular: expo(family, stem, '400Regular'),
  bold: expo(family, stem, '700Bold'),
});

export const single = (family: string, stem: string): FaceFiles => ({
  regular: expo(family, stem, '400Regular'),
});

export const embed = (region: string, stem: string, kind: 'ttf' | 'otf'): FaceFiles => ({
  regular: `@embedpdf/fonts-${region}/fonts/${stem}-Regular.${kind}`,
  bold: `@embedpdf/fonts-${region}/fonts/${stem}-Bold.${kind}`,
});

/** The npm package that a file belongs to. */
export function packageOf({ regular }: FaceFiles): string {
  return regular.split('/', 2).join('/');
}
