import type { PdfDict } from '@libpdf/core';
import { numberOf, type SourceDocument } from '../prepare/load-source.ts';

/**
 * Whether a widget is displayed and printed (annotation flags, ISO 32000-2 §12.5.3). Hidden: neither. Without Print it
 * is never printed, displayed or not. NoView keeps it off the screen and has no effect on paper.
 */
const HIDDEN = 1 << 1;
const PRINT = 1 << 2;
const NO_VIEW = 1 << 5;

export function widgetFlags(source: SourceDocument, widget: PdfDict): number {
  return numberOf(source.resolve(widget.get('F'))) ?? 0;
}

export function isPrinted(flags: number): boolean {
  return (flags & (PRINT | HIDDEN)) === PRINT;
}

export function isDisplayed(flags: number): boolean {
  return (flags & (HIDDEN | NO_VIEW)) === 0;
}

/** False for a widget that no reader ever shows, on screen or on paper: a value written into it cannot be seen. */
export function isEverSeen(flags: number): boolean {
  return isPrinted(flags) || isDisplayed(flags);
}
