import type { PdfDict } from '@libpdf/core';
import { numberOf, type SourceDocument } from '../prepare/load-source.ts';
import type { SourceField } from './read-fields.ts';

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

/**
 * Which widgets become page content when a form is flattened: those that print. Many producers never set Print, so a
 * widget that is displayed without it counts as printed if rows fill its field, or if no field of the form has the flag.
 * A push button does not: "Print" and "Reset" are for the screen.
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
