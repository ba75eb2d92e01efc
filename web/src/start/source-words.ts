import type { SourceMetadata } from '#fill/package/layout-schema.ts';
import type { OpenedSource } from '../engine/engine-client.ts';
import type { Source } from '../project/project.ts';

/** The facts of a PDF in words. */
const PAPERS: readonly (readonly [string, number, number])[] = [
  ['A3', 841.89, 1190.55],
  ['A4', 595.28, 841.89],
  ['A5', 419.53, 595.28],
  ['A6', 297.64, 419.53],
  ['Letter', 612, 792],
  ['Legal', 612, 1008],
  ['Tabloid', 792, 1224],
];

const near = (a: number, b: number) => Math.abs(a - b) < 1;
const MM = 25.4 / 72;

export function paperWords(width: number, height: number): string {
  const mm = `${Math.round(width * MM)} × ${Math.round(height * MM)} mm`;
  for (const [name, short, long] of PAPERS) {
    if (near(width, short) && near(height, long)) return `${name} portrait, ${mm}`;
    if (near(width, long) && near(height, short)) return `${name} landscape, ${mm}`;
  }
  return mm;
}

export function sizeWords(pages: Source['pages']): string {
  const sizes = new Set(pages.map(({ width, height }) => paperWords(width, height)));
  const [first = ''] = sizes;
  return sizes.size <= 1 ? first : `${sizes.size} sizes, the first ${first}`;
}

export function boxWords({ pages }: Pick<SourceMetadata, 'pages'>): string {
  const shifted = pages.filter(({ box: [left, bottom] }) => left !== 0 || bottom !== 0).length;
  return shifted === 0 ? 'the whole page' : `cropped or shifted on ${shifted} of ${pages.length} pages`;
}

export function rotationWords({ pages }: Pick<SourceMetadata, 'pages'>): string {
  const turned = pages.filter(({ rotation }) => rotation !== 0).length;
  return turned === 0 ? 'none' : `${turned} of ${pages.length} pages turned; placed as displayed`;
}

export function fontWords(fonts: OpenedSource['fonts']): string {
  if (fonts.length === 0) return 'none';
  const shown = fonts.slice(0, 3).map(({ name }) => name);
  const more = fonts.length > 3 ? ` and ${fonts.length - 3} more` : '';
  const loose = fonts.filter(({ embedded }) => !embedded).length;
  return `${shown.join(', ')}${more}${loose > 0 ? ` (${loose} not embedded)` : ''}`;
}
