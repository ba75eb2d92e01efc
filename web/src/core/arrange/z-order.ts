import type { Layout, Overlay } from '#fill/package/layout-schema.ts';

/** The layout's list is the drawing order: later overlays are on top. */
export type Level = 'front' | 'forward' | 'backward' | 'back';

/** One step moves past the next overlay of the same page. A step past an overlay of another page would change nothing visible. */
export function restack(layout: Layout, ids: readonly string[], level: Level): Layout {
  const chosen = new Set(ids);
  const isChosen = ({ id }: Overlay) => chosen.has(id);
  const before = layout.overlays;
  let after: Overlay[];
  if (level === 'front') after = [...before.filter((one) => !isChosen(one)), ...before.filter(isChosen)];
  else if (level === 'back') after = [...before.filter(isChosen), ...before.filter((one) => !isChosen(one))];
  else
    after =
      level === 'forward'
        ? stepForward(before, isChosen)
        : stepForward(before.toReversed(), isChosen).reverse();
  return after.every((overlay, index) => overlay === before[index]) ? layout : { ...layout, overlays: after };
}

function stepForward(overlays: readonly Overlay[], isChosen: (overlay: Overlay) => boolean): Overlay[] {
  const list = [...overlays];
  for (let index = list.length - 1; index >= 0; index -= 1) {
    const overlay = list[index] as Overlay;
    if (!isChosen(overlay)) continue;
    const over = list.findIndex((other, at) => at > index && other.page === overlay.page);
    const next = list[over];
    if (next === undefined || isChosen(next)) continue;
    list.splice(index, 1);
    list.splice(over, 0, overlay);
  }
  return list;
}
