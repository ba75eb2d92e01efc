import type { Point } from '../../core/geometry/rect.ts';
import { groupMates } from '../../core/overlays/choice-groups.ts';
import { findPage, toPage } from '../../core/pages/page-column.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { useCanvas } from '../canvas-store.ts';
import { pageColumn, toColumnPoint } from '../viewport.ts';

/** What a context menu acts on: the selected fields, a place on a page, or an entry of the page strip. */
export type MenuTarget =
  | { readonly of: 'fields' }
  /** `point` is null if the menu was opened with the keyboard. */
  | { readonly of: 'page'; readonly page: number; readonly point: Point | null }
  | { readonly of: 'strip'; readonly page: number };

export interface OpenMenu {
  /** In pixels of the window. */
  readonly at: Point;
  readonly target: MenuTarget;
}

export const openMenu = (at: Point, target: MenuTarget): void => useCanvas.setState({ menu: { at, target } });
export const closeMenu = (): void => useCanvas.setState({ menu: null });

/** Opens the menu of a field or of a choice group. Outside the selection, it is selected first. */
export function openFieldMenu(ids: readonly string[], at: Point): void {
  const { selection, select } = useEditor.getState();
  if (!ids.every((id) => selection.includes(id))) select(ids);
  openMenu(at, { of: 'fields' });
}

/** Opens context menus with the right button, the Menu key and Shift+F10. */
export function listenToMenus(scroller: HTMLElement): () => void {
  const open = (target: Element, at: Point, point: Point | null) => {
    const part = target.closest<HTMLElement>('[data-overlay],[data-handle],[data-page]');
    const { overlay, handle, page } = part?.dataset ?? {};
    if (overlay !== undefined) {
      const { project, selection } = useEditor.getState();
      const isAlone = project === null || selection.includes(overlay);
      openFieldMenu(isAlone ? [overlay] : groupMates(project.layout, overlay), at);
      // The menu, which opens after this, returns the focus to the field.
      part?.focus({ preventScroll: true });
    } else if (handle !== undefined) openMenu(at, { of: 'fields' });
    else {
      const number = page === undefined ? useEditor.getState().page : Number(page);
      const sheet = findPage(pageColumn(), number);
      const place = point === null || page === undefined || sheet === undefined ? null : toPage(sheet, point);
      openMenu(at, { of: 'page', page: number, point: place });
    }
  };
  const click = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    open(event.target, at, toColumnPoint(at));
  };
  const key = (event: KeyboardEvent) => {
    if (!isMenuKey(event) || !(event.target instanceof Element)) return;
    event.preventDefault();
    open(event.target, belowOf(event.target), null);
  };
  scroller.addEventListener('contextmenu', click);
  scroller.addEventListener('keydown', key);
  return () => {
    scroller.removeEventListener('contextmenu', click);
    scroller.removeEventListener('keydown', key);
  };
}

export const isMenuKey = ({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** Where the menu of a focused element opens. */
export function belowOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  const isLarge = width > window.innerWidth / 2 || height > window.innerHeight / 2;
  return isLarge
    ? { x: left + 24, y: Math.max(top, 0) + 24 }
    : { x: left + Math.min(width / 2, 24), y: top + height + 4 };
}
