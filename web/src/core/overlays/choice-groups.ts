import type { CheckOverlay } from '#fill/kinds/check/schema.ts';
import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { quantise } from '../geometry/quantise.ts';
import { newId } from './badges.ts';
import { findOverlay } from './find-overlays.ts';
import { patchOverlays } from './patch-overlays.ts';
import { columnName } from './value-words.ts';

/**
 * A choice group is several check marks that read one value, each for one of its values (`group` in the layout). The editor
 * treats it as one thing: a click selects all of its boxes, and the inspector shows its column once.
 */
export const groupOf = (overlay: Overlay | undefined): string | undefined =>
  overlay?.type === 'check' ? overlay.group : undefined;

export const boxesOf = (layout: Layout, group: string): CheckOverlay[] =>
  layout.overlays.filter((overlay) => overlay.type === 'check').filter((check) => check.group === group);

/** The boxes of the overlay's choice group, itself included; only itself if it is in none. */
export function groupMates(layout: Layout, id: string): readonly string[] {
  const group = groupOf(findOverlay(layout, id));
  return group === undefined ? [id] : boxesOf(layout, group).map((box) => box.id);
}

/** The choice group that is selected as a whole, and nothing else. */
export function wholeGroup(layout: Layout, overlays: readonly Overlay[]): string | undefined {
  const group = groupOf(overlays[0]);
  if (group === undefined || overlays.some((overlay) => groupOf(overlay) !== group)) return undefined;
  return overlays.length === boxesOf(layout, group).length ? group : undefined;
}

/** A name that no other group has: `base`, `base 2`, … */
export function newGroupName(layout: Layout, base: string): string {
  const taken = new Set(layout.overlays.map(groupOf));
  const short = base.slice(0, 90);
  let name = short;
  for (let number = 2; taken.has(name); number += 1) name = `${short} ${number}`;
  return name;
}

/**
 * Makes one group of check marks. They all read the value of the first one that reads a column. Each keeps its own value,
 * unless another mark has the same one.
 */
export function groupAsChoices(layout: Layout, ids: readonly string[]): Layout {
  const checks = layout.overlays.filter(({ id, type }) => type === 'check' && ids.includes(id));
  const source = (checks.find(({ value }) => value !== undefined && !('static' in value)) ?? checks[0])
    ?.value;
  if (source === undefined) return layout;
  const group = newGroupName(layout, 'column' in source ? columnName(layout, source.column) : 'Choice');
  const taken = new Set<string>();
  return patchOverlays(layout, ids, (overlay) => {
    if (overlay.type !== 'check') return overlay;
    const { on_value, ...rest } = overlay;
    const keeps = on_value !== undefined && !taken.has(on_value);
    if (keeps) taken.add(on_value);
    return { ...rest, ...(keeps && { on_value }), value: source, group };
  });
}

/** Check marks without their group. They keep their values. */
export function ungroup(layout: Layout, ids: readonly string[]): Layout {
  return patchOverlays(layout, ids, (overlay) => {
    if (overlay.type !== 'check' || overlay.group === undefined) return overlay;
    const { group: _, ...rest } = overlay;
    return rest;
  });
}

export function renameGroup(layout: Layout, group: string, name: string): Layout {
  const ids = boxesOf(layout, group).map(({ id }) => id);
  return patchOverlays(layout, ids, (overlay) =>
    overlay.type === 'check' ? { ...overlay, group: name } : overlay,
  );
}

const GAP = 6;

/** Adds a box that continues the row or column of the last two. */
export function addBox(
  layout: Layout,
  group: string,
  onValue: string | undefined,
): { readonly layout: Layout; readonly id: string } | null {
  const boxes = boxesOf(layout, group);
  const [last, before] = [boxes.at(-1), boxes.at(-2)];
  if (last === undefined) return null;
  const inLine = before !== undefined && before.page === last.page;
  const step = inLine ? { x: last.x - before.x, y: last.y - before.y } : { x: 0, y: last.height + GAP };
  const { on_value: _, show_if: _showIf, ...look } = last;
  const id = newId(layout, 'check');
  const box: CheckOverlay = {
    ...look,
    id,
    x: quantise(last.x + step.x),
    y: quantise(last.y + step.y),
    ...(onValue !== undefined && { on_value: onValue }),
  };
  return { layout: { ...layout, overlays: [...layout.overlays, box] }, id };
}

/**
 * Changes copies of boxes so that they do not contradict their originals. The copy of a whole group is a new group; the copy
 * of a single box is a further box of the group, without a value.
 */
export function copiedBoxes(layout: Layout, originals: readonly Overlay[]): (copy: Overlay) => Overlay {
  const names = new Map<string, string>();
  const copied = Map.groupBy(originals, groupOf);
  return (copy) => {
    const group = groupOf(copy);
    if (copy.type !== 'check' || group === undefined) return copy;
    if ((copied.get(group)?.length ?? 0) < boxesOf(layout, group).length) {
      const { on_value: _, ...rest } = copy;
      return rest;
    }
    const name = names.get(group) ?? newGroupName(layout, group);
    names.set(group, name);
    return { ...copy, group: name };
  };
}
