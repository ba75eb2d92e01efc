import type { PdfDict } from '@libpdf/core';
import { isArray, isDict, nameOf, numberOf, numbersOf, type SourceDocument } from '../prepare/load-source.ts';
import { pdfNumber } from '../write/pdf-number.ts';

/** A widget's border: /BS (ISO 32000-2 §12.5.4, table 168), or the older /Border array. */
export interface WidgetBorder {
  readonly width: number;
  readonly style: 'solid' | 'dashed' | 'beveled' | 'inset' | 'underline';
  /** Lengths of dashes and gaps, for the dashed style only. */
  readonly dashes: readonly number[];
}

const MAX_WIDTH = 20;
const STYLES: Readonly<Record<string, WidgetBorder['style']>> = {
  S: 'solid',
  D: 'dashed',
  B: 'beveled',
  I: 'inset',
  U: 'underline',
};

export function borderOf(source: SourceDocument, widget: PdfDict): WidgetBorder {
  const dict = source.resolve(widget.get('BS'));
  const bounded = (width: number | null | undefined) => Math.min(MAX_WIDTH, Math.max(0, width ?? 1));
  if (isDict(dict)) {
    const style = STYLES[nameOf(source.resolve(dict.get('S'))) ?? 'S'] ?? 'solid';
    const dashes = usable(numbersOf(source, source.resolve(dict.get('D')))) ?? [3];
    return { width: bounded(numberOf(source.resolve(dict.get('W')))), style, dashes };
  }
  const array = source.resolve(widget.get('Border'));
  if (!isArray(array)) return { width: 1, style: 'solid', dashes: [] };
  const width = bounded(numberOf(source.resolve(array.at(2))));
  const dashes = usable(numbersOf(source, source.resolve(array.at(3))));
  return { width, style: dashes === null ? 'solid' : 'dashed', dashes: dashes ?? [] };
}

/** Ignores a pattern of zeros only, or with negative lengths (§8.4.3.6). */
function usable(dashes: readonly number[] | null): readonly number[] | null {
  if (dashes === null || dashes.length > 8) return null;
  return dashes.every((length) => length >= 0) && dashes.some((length) => length > 0) ? dashes : null;
}

/** Returns the border's width, dashes and path. The caller strokes it. */
export function borderPath(
  { width: line, style, dashes }: WidgetBorder,
  width: number,
  height: number,
): string {
  const inset = line / 2;
  const dash = style === 'dashed' ? `[${dashes.map(pdfNumber).join(' ')}] 0 d ` : '';
  const path =
    style === 'underline'
      ? `0 ${pdfNumber(inset)} m ${pdfNumber(width)} ${pdfNumber(inset)} l`
      : `${[inset, inset, width - line, height - line].map(pdfNumber).join(' ')} re`;
  return `${pdfNumber(line)} w ${dash}${path}`;
}

/** Returns the light and dark edges inside the line, as Acrobat draws them: beveled boxes look raised, inset ones sunken. */
export function borderRelief({ width: line, style }: WidgetBorder, width: number, height: number): string[] {
  if (style !== 'beveled' && style !== 'inset') return [];
  const [lit, shaded] = style === 'beveled' ? ['1 g', '.5 g'] : ['.5 g', '.75 g'];
  const polygon = (...points: readonly (readonly [number, number])[]) =>
    `${points.map(([x, y], index) => `${pdfNumber(x)} ${pdfNumber(y)} ${index === 0 ? 'm' : 'l'}`).join(' ')} f`;
  const [far, top] = [width - line, height - line];
  const deep = 2 * line;
  return [
    `${lit} ${polygon([line, line], [line, top], [far, top], [width - deep, height - deep], [deep, height - deep], [deep, deep])}`,
    `${shaded} ${polygon([far, top], [far, line], [line, line], [deep, deep], [width - deep, deep], [width - deep, height - deep])}`,
  ];
}
