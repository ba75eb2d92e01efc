import type { PdfDict } from '@libpdf/core';
import type { SourceDocument } from '../prepare/load-source.ts';
import type { FlatSlot } from './flatten-widgets.ts';
import type { SourceField } from './read-fields.ts';
import { widgetRect } from './widget-look.ts';
import { isEverSeen, widgetFlags } from './widget-visibility.ts';

/** Returns whether no widget of a mapped field shows its value, on screen or on paper. */
export function isHiddenField(
  source: SourceDocument,
  field: SourceField,
  slots: ReadonlyMap<PdfDict, FlatSlot>,
  flatten: boolean,
): boolean {
  return !field.widgets.some(({ dict }) => {
    const { left, bottom, right, top } = widgetRect(source, dict);
    if (right === left || top === bottom) return false;
    return flatten ? slots.has(dict) : isEverSeen(widgetFlags(source, dict));
  });
}
