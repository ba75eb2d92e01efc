import type { Layout, Overlay } from '#fill/package/layout-schema.ts';

/** Overlays by id and by page, computed once per list because every pointer move reads them many times. */
interface OverlayIndex {
  readonly byId: ReadonlyMap<string, Overlay>;
  readonly byPage: ReadonlyMap<number, readonly Overlay[]>;
  /** Position in the drawing order. */
  readonly level: ReadonlyMap<string, number>;
}

const indexes = new WeakMap<Layout['overlays'], OverlayIndex>();

function indexOf({ overlays }: Layout): OverlayIndex {
  const known = indexes.get(overlays);
  if (known !== undefined) return known;
  const byId = new Map<string, Overlay>();
  const byPage = new Map<number, Overlay[]>();
  const level = new Map<string, number>();
  for (const overlay of overlays) {
    level.set(overlay.id, level.size);
    byId.set(overlay.id, overlay);
    const page = byPage.get(overlay.page);
    if (page === undefined) byPage.set(overlay.page, [overlay]);
    else page.push(overlay);
  }
  const index = { byId, byPage, level };
  indexes.set(overlays, index);
  return index;
}

const NONE: readonly Overlay[] = [];

export const findOverlay = (layout: Layout, id: string): Overlay | undefined => indexOf(layout).byId.get(id);

/** In drawing order. */
export const overlaysOn = (layout: Layout, page: number): readonly Overlay[] =>
  indexOf(layout).byPage.get(page) ?? NONE;

export const pagesWithOverlays = (layout: Layout): readonly number[] => [...indexOf(layout).byPage.keys()];

/** In the order of `ids`; unknown ids (form fields) are left out. */
export function findOverlays(layout: Layout, ids: readonly string[]): Overlay[] {
  return ids.flatMap((id) => findOverlay(layout, id) ?? []);
}

export const levelOf = (layout: Layout, id: string): number => indexOf(layout).level.get(id) ?? 0;
