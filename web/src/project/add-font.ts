import { embeddingProblem } from '#fill/fonts/embedding-rights.ts';
import { fontNames } from '#fill/fonts/font-names.ts';
import { FontInvalid, readSfnt } from '#fill/fonts/sfnt.ts';
import { LAYOUT_CAPS } from '#fill/package/layout-caps.ts';
import type { Layout, LayoutFont } from '#fill/package/layout-schema.ts';

/** A font file that the project can use: its name in the layout, and its style. */
export interface UsableFont {
  readonly ok: true;
  readonly name: string;
  readonly style: FontStyle;
}
type FontStyle = 'regular' | 'bold' | 'italic' | 'bold_italic';

const BUILT_IN = new Set(['sans', 'serif', 'mono']);
/** A package of 10 MB must hold all fonts and pictures. */
const MOST_BYTES = 8_000_000;

/** Checks a font file with the engine's own reader. */
export function readFontFile(
  fileName: string,
  bytes: Uint8Array,
): UsableFont | { readonly ok: false; readonly message: string } {
  const refused = (reason: string) =>
    ({ ok: false, message: `${fileName} cannot be used: ${reason}.` }) as const;
  if (bytes.length > MOST_BYTES) return refused('it is larger than 8 MB');
  try {
    const font = readSfnt(bytes);
    if (font.table('cmap') === undefined) return refused('the font has no character map');
    const problem = embeddingProblem(font);
    if (problem !== undefined) return refused(problem);
    const { family, bold, italic } = fontNames(font);
    const style = bold ? (italic ? 'bold_italic' : 'bold') : italic ? 'italic' : 'regular';
    return { ok: true, name: layoutName(family), style };
  } catch (error) {
    if (error instanceof FontInvalid) return refused(error.message);
    throw error;
  }
}

/** A name that the layout allows, and that is not one of the built-in fonts. */
function layoutName(family: string): string {
  const plain = family
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9 ._-]/g, '')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 60)
    .trim();
  return plain === '' || BUILT_IN.has(plain) ? `Font ${plain}`.trim() : plain;
}

/** Adds a file to the fonts of a layout: a new font, or a further style of one. Null if the layout already has the maximum number of fonts. */
export function addFont(layout: Layout, { name, style }: UsableFont, asset: string): Layout | null {
  const known = layout.fonts.find((font) => font.name === name);
  if (known === undefined && layout.fonts.length >= LAYOUT_CAPS.fonts) return null;
  // A family needs a regular style; until there is one, its first file stands in.
  const made: LayoutFont = { ...(known ?? { name, regular: asset }), [style]: asset };
  const fonts =
    known === undefined
      ? [...layout.fonts, made]
      : layout.fonts.map((font) => (font === known ? made : font));
  return { ...layout, fonts };
}
