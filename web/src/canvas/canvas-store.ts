import { create } from 'zustand';
import type { OverlayType } from '#fill/kinds/overlay-schema.ts';
import type { Overlay } from '#fill/package/layout-schema.ts';
import type { Rect } from '../core/geometry/rect.ts';
import { FULL_SIZE } from '../core/pages/zoom.ts';
import type { Guide } from '../core/snapping/snap.ts';
import type { OpenMenu } from './menus/menu-target.ts';

/**
 * The view state of the canvas. It is not part of the layout, so it cannot be undone; locks are stored per project in this
 * browser.
 */
export type Tool = 'select' | 'pan' | OverlayType;

export interface PageGuides {
  readonly page: number;
  readonly guides: readonly Guide[];
}

interface CanvasState {
  readonly tool: Tool;
  /** CSS pixels per point. */
  readonly scale: number;
  readonly guides: PageGuides | null;
  /** In points of the page column. */
  readonly marquee: Rect | null;
  readonly locked: ReadonlySet<string>;
  readonly copied: readonly Overlay[];
  /** How often the copied overlays have been pasted: each paste is offset further. */
  readonly pastes: number;
  /** Whether rulers and guides are shown. */
  readonly rulers: boolean;
  /** The open context menu. */
  readonly menu: OpenMenu | null;
  /** Whether the shortcut sheet is open. */
  readonly sheetOpen: boolean;
  /** The side panel that is open in a narrow window, which has room for one. */
  readonly sidePanel: 'left' | 'right' | null;
}

const RULERS = 'rowpress.rulers';

export const useCanvas = create<CanvasState>(() => ({
  tool: 'select',
  scale: FULL_SIZE,
  guides: null,
  marquee: null,
  locked: new Set<string>(),
  copied: [],
  pastes: 0,
  rulers: localStorage.getItem(RULERS) !== 'off',
  menu: null,
  sheetOpen: false,
  sidePanel: null,
}));

export const setTool = (tool: Tool): void => useCanvas.setState({ tool });

export function showRulers(rulers: boolean): void {
  if (rulers) localStorage.removeItem(RULERS);
  else localStorage.setItem(RULERS, 'off');
  useCanvas.setState({ rulers });
}

const key = (projectId: string) => `rowpress.locks.${projectId}`;

export function loadLocks(projectId: string): void {
  const kept = localStorage.getItem(key(projectId));
  const ids: unknown = kept === null ? [] : JSON.parse(kept);
  useCanvas.setState({ locked: new Set(Array.isArray(ids) ? ids.map(String) : []) });
}

/** Keeps the locks of a project that gets another id. */
export function moveLocks(from: string, to: string): void {
  const kept = localStorage.getItem(key(from));
  if (kept === null) return;
  localStorage.setItem(key(to), kept);
  localStorage.removeItem(key(from));
}

export function setLocked(projectId: string, ids: readonly string[], locked: boolean): void {
  const next = new Set(useCanvas.getState().locked);
  for (const id of ids) {
    if (locked) next.add(id);
    else next.delete(id);
  }
  if (next.size === 0) localStorage.removeItem(key(projectId));
  else localStorage.setItem(key(projectId), JSON.stringify([...next]));
  useCanvas.setState({ locked: next });
}
