import type { Layout, Overlay } from '#fill/package/layout-schema.ts';

/** What every part of the editor calls a kind of overlay, and the letters of its badge. */
export type OverlayKind = Overlay['type'];

export interface KindWords {
  readonly name: string;
  readonly badge: string;
}

export const KINDS: Readonly<Record<OverlayKind, KindWords>> = {
  text: { name: 'Text', badge: 'F' },
  qr: { name: 'QR code', badge: 'QR' },
  barcode: { name: 'Barcode', badge: 'BC' },
  image: { name: 'Image', badge: 'IM' },
  check: { name: 'Check mark', badge: 'CH' },
  date: { name: 'Date', badge: 'D' },
  signature: { name: 'Signature', badge: 'S' },
  sticker: { name: 'Sticker', badge: 'ST' },
};

/** `text_1`, `text_2`, …: one more than the highest there ever was in this layout, so that a badge is not given twice. */
export function newId(layout: Layout, kind: OverlayKind): string {
  const taken = new Set([...layout.overlays, ...layout.form_fields].map(({ id }) => id));
  let number = layout.overlays.reduce((most, { id }) => Math.max(most, numberIn(id, kind)), 0) + 1;
  while (taken.has(`${kind}_${number}`)) number += 1;
  return `${kind}_${number}`;
}

/** The number of an id we gave; 0 for any other. */
function numberIn(id: string, kind: OverlayKind): number {
  return new RegExp(`^${kind}_([1-9]\\d{0,5})$`).test(id) ? Number(id.slice(kind.length + 1)) : 0;
}

const badgesOf = new WeakMap<Layout['overlays'], ReadonlyMap<string, string>>();

/** Badges by id: ids we gave keep their number, others fill the numbers left in order of the layout. */
export function badges(layout: Layout): ReadonlyMap<string, string> {
  const known = badgesOf.get(layout.overlays);
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  const taken = new Map<OverlayKind, Set<number>>();
  const takenBy = (kind: OverlayKind) => taken.get(kind) ?? taken.set(kind, new Set()).get(kind);
  for (const { id, type } of layout.overlays) {
    const number = numberIn(id, type);
    if (number === 0) continue;
    made.set(id, `${KINDS[type].badge}·${number}`);
    takenBy(type)?.add(number);
  }
  for (const { id, type } of layout.overlays) {
    if (made.has(id)) continue;
    const numbers = takenBy(type);
    let number = 1;
    while (numbers?.has(number)) number += 1;
    numbers?.add(number);
    made.set(id, `${KINDS[type].badge}·${number}`);
  }
  badgesOf.set(layout.overlays, made);
  return made;
}
