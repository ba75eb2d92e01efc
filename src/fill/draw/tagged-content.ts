import type { SlotTags } from '../prepare/prepared-base.ts';
import type { DisplayItem } from './display-list.ts';

/** Identifiers of marked content by overlay, on one page. An overlay without one is decoration. */
export type OverlayTags = ReadonlyMap<string, number>;

export function overlayTags(tags: SlotTags | undefined): OverlayTags | null {
  return tags === undefined ? null : new Map(tags.overlays.map((id, index) => [id, tags.first + index]));
}

/**
 * Begins the marked content of an item (ISO 32000-2 §14.6). The alternate text of a code or picture is written here and not
 * in the structure, because the element exists in every row and its content only in rows that draw it. Alternate texts need
 * the tag Span (§14.9.3).
 */
export function openingMark(item: DisplayItem, tags: OverlayTags): string {
  const mcid = tags.get(item.overlayId);
  if (mcid === undefined || (item.kind === 'shape' && item.isDecoration)) return '/Artifact BMC\n';
  switch (item.kind) {
    case 'text':
      return `/P<</MCID ${mcid}>>BDC\n`;
    case 'code':
      return `/Span<</MCID ${mcid}/Lang(en)/Alt(Barcode)>>BDC\n`;
    case 'image':
      return `/Span<</MCID ${mcid}/Lang(en)/Alt(Picture)>>BDC\n`;
    case 'shape':
      return `/Span<</MCID ${mcid}/ActualText${CHECK_MARK}>>BDC\n`;
  }
}

/** U+2713 as UTF-16. */
const CHECK_MARK = '<feff2713>';
export const CLOSING_MARK = 'EMC\n';
