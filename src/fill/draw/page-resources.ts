/** The /Resources of a slot: entries that all rows share, and entries that one row adds. */
export interface PageResources {
  /** Entries such as `/F0 12 0 R`. */
  readonly fonts: string;
  readonly images: string;
  readonly states: string;
  /** The whole dictionary for rows that add nothing. Most rows do not. */
  readonly plain: string;
}

export function pageResources(fonts: string, images: string, states: string): PageResources {
  return { fonts, images, states, plain: dictionary(fonts, images, states) };
}

export function resourcesText(
  shared: PageResources | undefined,
  rowFonts: string,
  rowImages: string,
): string {
  if (shared === undefined) throw new Error('bug: a page was drawn without resources');
  if (rowFonts === '' && rowImages === '') return shared.plain;
  return dictionary(shared.fonts + rowFonts, shared.images + rowImages, shared.states);
}

function dictionary(fonts: string, images: string, states: string): string {
  const entry = (key: string, entries: string) => (entries === '' ? '' : `/${key}<<${entries}>>`);
  return `<<${entry('Font', fonts)}${entry('XObject', images)}${entry('ExtGState', states)}>>`;
}
