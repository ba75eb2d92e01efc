import { type PdfDict, PdfName, type PdfRef } from '@libpdf/core';
import { isDict, isRef, isStream, nameOf, numbersOf, type SourceDocument } from '../prepare/load-source.ts';
import { exactPdfNumber } from '../write/pdf-number.ts';
import { appearanceMatrix } from './appearance-matrix.ts';
import type { WidgetRect } from './widget-look.ts';

// What a widget shows in the source: its appearance streams (ISO 32000-2 §12.5.5).

/** The stream a widget shows now: /N itself, or the one of its states that /AS names. */
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

/** Appearance streams need not say what they are; XObjects must (ISO 32000-2 §8.10.2). */
export function markAsForm(source: SourceDocument, ref: PdfRef): void {
  const stream = source.resolve(ref);
  if (!isDict(stream)) return;
  stream.set('Type', PdfName.of('XObject'));
  stream.set('Subtype', PdfName.of('Form'));
}

/** The opening of a form XObject that covers the widget; its resources follow. */
export function rectHead({ left, bottom, right, top }: WidgetRect): string {
  const box = [left, bottom, right, top].map(exactPdfNumber).join(' ');
  return `<</Type/XObject/Subtype/Form/BBox[${box}]/Resources`;
}
