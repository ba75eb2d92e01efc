import type { PdfDict } from '@libpdf/core';
import { numberOf, type SourceDocument } from '../prepare/load-source.ts';
import type { SourceField } from './read-fields.ts';

// Annotation flags (ISO 32000-2 §12.5.3). Hidden prevents display and printing. A widget without Print is never printed.
// NoView prevents display and has no effect on printing.
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

/** Returns false for a widget that readers never show, on screen or on paper: its value is never visible. */
export function isEverSeen(flags: number): boolean {
  return isPrinted(flags) || isDisplayed(flags);
}

/**
 * Selects the widgets that become page content when a form is flattened: those that print. Many producers never set Print,
 * so a displayed widget without it counts as printed if rows fill its field, or if no field of the form has the flag.
 * Push buttons such as "Print" and "Reset" never do.
 */
export function flattenedWidgets(
  source: SourceDocument,
  fields: readonly SourceField[],
  isMapped: ReadonlySet<PdfDict>,
): (widget: PdfDict) => boolean {
  const flags = (widget: PdfDict) => widgetFlags(source, widget);
  const buttons = new Set<PdfDict>();
  let setsPrint = false;
  for (const { type, widgets } of fields) {
    for (const { dict } of widgets) {
      if (type === 'button') buttons.add(dict);
      else setsPrint ||= isPrinted(flags(dict));
    }
  }
  return (widget) =>
    isPrinted(flags(widget)) ||
    (isDisplayed(flags(widget)) && (isMapped.has(widget) || !(setsPrint || buttons.has(widget))));
}
