import { isArray, isDict, loadSource, nameOf, type SourceDocument } from '#fill/prepare/load-source.ts';
import { readPageTree } from '#fill/prepare/page-tree.ts';
import { DEFAULT_MAX_PAGES } from '#fill/prepare-fill.ts';
import type { OpenedSource } from '../engine-client.ts';

/** Maximum number of pages to read. The first pages are representative. */
const PAGES_READ = 30;

/** Returns the fonts in the resources of the pages (ISO 32000-2 §9.6), by name without the subset prefix. */
export async function sourceFonts(bytes: Uint8Array): Promise<OpenedSource['fonts']> {
  const source = await loadSource(bytes);
  const found = new Map<string, boolean>();
  for (const { resources } of readPageTree(source, DEFAULT_MAX_PAGES).pages.slice(0, PAGES_READ)) {
    const held = source.resolve(resources);
    const fonts = isDict(held) ? source.resolve(held.get('Font')) : null;
    if (!isDict(fonts)) continue;
    for (const [, reference] of fonts) {
      const font = source.resolve(reference);
      if (!isDict(font)) continue;
      const name = nameOf(source.resolve(font.get('BaseFont')))?.replace(/^[A-Z]{6}\+/, '');
      if (name !== undefined) found.set(name, isEmbedded(source, font));
    }
  }
  return [...found]
    .map(([name, embedded]) => ({ name, embedded }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

function isEmbedded(source: SourceDocument, font: Parameters<typeof isDict>[0]): boolean {
  if (!isDict(font)) return false;
  const descendants = source.resolve(font.get('DescendantFonts'));
  const holder = isArray(descendants) ? source.resolve(descendants.at(0)) : font;
  const descriptor = isDict(holder) ? source.resolve(holder.get('FontDescriptor')) : null;
  return (
    nameOf(source.resolve(font.get('Subtype'))) === 'Type3' ||
    (isDict(descriptor) && ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor.has(key)))
  );
}
