/**
 * The files of one family. `fonts/…` is a file of this package; any other path lies below node_modules and belongs to an
 * optional package.
 */
export interface FaceFiles {
  readonly regular: string;
  readonly bold?: string | undefined;
  readonly italic?: string | undefined;
  readonly bold_italic?: string | undefined;
}

/** The folder of the faces that come with this package. */
export const BUNDLED = 'fonts/';

type FileOf = (style: string) => string;

/** The files of a family in the folder `fonts`. */
export const bundled =
  (family: string, stem: string): FileOf =>
  (style) =>
    `${BUNDLED}${family}/${stem}_${style}.ttf`;

/** The files of a family in its own npm package. */
export const packaged =
  (family: string, stem: string): FileOf =>
  (style) =>
    `@expo-google-fonts/${family}/${style}/${stem}_${style}.ttf`;

export const four = (file: FileOf): FaceFiles => ({
  regular: file('400Regular'),
  bold: file('700Bold'),
  italic: file('400Regular_Italic'),
  bold_italic: file('700Bold_Italic'),
});

export const upright = (file: FileOf): FaceFiles => ({
  regular: file('400Regular'),
  bold: file('700Bold'),
});

export const single = (file: FileOf): FaceFiles => ({ regular: file('400Regular') });

export const eastAsian = (region: string, stem: string): FaceFiles => ({
  regular: `@embedpdf/fonts-${region}/fonts/${stem}-Regular.otf`,
  bold: `@embedpdf/fonts-${region}/fonts/${stem}-Bold.otf`,
});

/** The npm package that a file belongs to. */
export function packageOf({ regular }: FaceFiles): string {
  return regular.split('/', 2).join('/');
}
