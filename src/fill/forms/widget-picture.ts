import { type PdfDict, PdfName, type PdfRef } from '@libpdf/core';
import { isDict, isRef, isStream, nameOf, numbersOf, type SourceDocument } from '../prepare/load-source.ts';
import { exactPdfNumber } from '../write/pdf-number.ts';
import { appearanceMatrix } from './appearance-matrix.ts';
import type { WidgetRect } from './widget-look.ts';

// Reads the appearance streams of widgets (ISO 32000-2 §12.5.5).

/** Returns the stream that a widget currently shows: /N itself, or its state that /AS names. */
export function normalAppearance(source: SourceDocument, widget: PdfDict): PdfRef | null {
  const appearances = source.resolve(widget.get('AP'));
  const normal = isDict(appearances) ? appearances.get('N') : undefined;
  const resolved = source.resolve(normal);
  if (isStream(resolved)) return isRef(normal) ? normal : null;
  if (!isDict(resolved)) return null;
  const state = resolved.get(nameOf(source.resolve(widget.get('AS'))) ?? 'Off');
  return isRef(state) && isStream(source.resolve(state)) ? state : null;
}

export function pictureMatrix(source: SourceDocument, ref: PdfRef, rect: WidgetRect): string {
  const stream = source.resolve(ref);
  const read = (key: string) => (isDict(stream) ? numbersOf(source, source.resolve(stream.get(key))) : null);
  return appearanceMatrix(read('BBox'), read('Matrix'), rect);
}

/** Adds the type, which XObjects must have (ISO 32000-2 §8.10.2) and appearance streams may lack. */
export function markAsForm(source: SourceDocument, ref: PdfRef): void {
  const stream = source.resolve(ref);
  if (!isDict(stream)) return;
  stream.set('Type', PdfName.of('XObject'));
  stream.set('Subtype', PdfName.of('Form'));
}

/** Returns the start of a form XObject that covers the widget. The value of /Resources follows. */
export function rectHead({ left, bottom, right, top }: WidgetRect): string {
  const box = [left, bottom, right, top].map(exactPdfNumber).join(' ');
  return `<</Type/XObject/Subtype/Form/BBox[${box}]/Resources`;
}
