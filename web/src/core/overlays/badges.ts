import type { OverlayType } from '#fill/kinds/overlay-schema.ts';
import type { Layout } from '#fill/package/layout-schema.ts';
import { TOOLS } from '../../kinds/tools.ts';

/** A new id: `text_1`, `text_2`, …, one above the highest number of its kind in this layout. */
export function newId(layout: Layout, kind: OverlayType): string {
  const taken = new Set([...layout.overlays, ...layout.form_fields].map(({ id }) => id));
  let number = layout.overlays.reduce((most, { id }) => Math.max(most, numberIn(id, kind)), 0) + 1;
  while (taken.has(`${kind}_${number}`)) number += 1;
  return `${kind}_${number}`;
}

/** Whether a person chose the id; otherwise it is one that `newId` made. */
export const isChosenId = ({ id, type }: { readonly id: string; readonly type: OverlayType }): boolean =>
  numberIn(id, type) === 0;

/** The number in an id that `newId` made; 0 for any other id. */
function numberIn(id: string, kind: OverlayType): number {
  return new RegExp(`^${kind}_([1-9]\\d{0,5})$`).test(id) ? Number(id.slice(kind.length + 1)) : 0;
}

const badgesOf = new WeakMap<Layout['overlays'], ReadonlyMap<string, string>>();

/** Badges by id. Ids that `newId` made keep their number; the others get the free numbers in order of the layout. */
export function badges(layout: Layout): ReadonlyMap<string, string> {
  const known = badgesOf.get(layout.overlays);
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  const taken = new Map<OverlayType, Set<number>>();
  const takenBy = (kind: OverlayType) => taken.get(kind) ?? taken.set(kind, new Set()).get(kind);
  for (const { id, type } of layout.overlays) {
    const number = numberIn(id, type);
    if (number === 0) continue;
    made.set(id, `${TOOLS[type].badge}·${number}`);
    takenBy(type)?.add(number);
  }
  for (const { id, type } of layout.overlays) {
    if (made.has(id)) continue;
    const numbers = takenBy(type);
    let number = 1;
    while (numbers?.has(number)) number += 1;
    numbers?.add(number);
    made.set(id, `${TOOLS[type].badge}·${number}`);
  }
  badgesOf.set(layout.overlays, made);
  return made;
}
