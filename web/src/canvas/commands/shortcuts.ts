import { FULL_SIZE, stepScale } from '../../core/pages/zoom.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { OVERLAY_TYPES, TOOLS } from '../../kinds/tools.ts';
import { useSingleKeys } from '../../shell/single-keys.ts';
import { type Tool, useCanvas } from '../canvas-store.ts';
import { isTyping } from '../pointer-input.ts';
import { zoomTo, zoomToFit } from '../viewport.ts';
import { nudgeSelected, restackSelected } from './arrange.ts';
import {
  copySelected,
  cutSelected,
  deleteSelected,
  duplicateSelected,
  pasteCopied,
  selectAllOnPage,
  toggleLock,
} from './copies.ts';
import { goToPage } from './go-to-overlay.ts';
import { goToProperties } from './go-to-properties.ts';
import { toggleRulers } from './guides.ts';
import { chooseTool, placeWithTool } from './place.ts';

/** Every shortcut, as the sheet shows it and as the keyboard listener runs it. `Mod` is Ctrl, or Cmd on a Mac. */
export interface Shortcut {
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
}

const KIND_KEYS = Object.fromEntries(OVERLAY_TYPES.map((type) => [type, TOOLS[type].key]));

export const TOOL_KEYS = { select: 'V', pan: 'H', ...KIND_KEYS } as Readonly<Record<Tool, string>>;

const zoomBy = (direction: 1 | -1) => zoomTo(stepScale(useCanvas.getState().scale, direction));
const turnPage = (by: number) => {
  const { page, project } = useEditor.getState();
  const last = project?.source.pages.length ?? 1;
  goToPage(Math.min(last, Math.max(1, page + by)));
};

const NUDGE = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;
const LARGE = 10;

export const SHORTCUTS: Readonly<Record<string, readonly Shortcut[]>> = {
  Tools: (Object.entries(TOOL_KEYS) as [Tool, string][]).map(([tool, keys]) => ({
    keys,
    does: toolWords(tool),
    run: () => chooseTool(tool),
  })),
  Edit: [
    { keys: 'Mod+Z', does: 'Undo', run: () => useEditor.getState().undo() },
    { keys: 'Mod+Shift+Z', does: 'Redo', run: () => useEditor.getState().redo() },
    { keys: 'Mod+Y', does: 'Redo', run: () => useEditor.getState().redo() },
    { keys: 'Mod+C', does: 'Copy', run: copySelected },
    { keys: 'Mod+X', does: 'Cut', run: cutSelected },
    { keys: 'Mod+V', does: 'Paste on the current page', run: () => pasteCopied() },
    { keys: 'Mod+D', does: 'Duplicate', run: duplicateSelected },
    { keys: 'Mod+A', does: 'Select all on the page', run: () => selectAllOnPage() },
    { keys: 'Mod+L', does: 'Lock or unlock', run: toggleLock },
    { keys: 'Delete', does: 'Delete', run: () => deleteSelected() },
    { keys: 'Backspace', does: 'Delete', run: () => deleteSelected() },
    { keys: ']', does: 'Bring forward', run: () => restackSelected('forward') },
    { keys: '[', does: 'Send backward', run: () => restackSelected('backward') },
    { keys: 'Shift+]', does: 'Bring to front', run: () => restackSelected('front') },
    { keys: 'Shift+[', does: 'Send to back', run: () => restackSelected('back') },
  ],
  View: [
    { keys: 'Mod+=', does: 'Zoom in', run: () => zoomBy(1) },
    { keys: 'Mod+-', does: 'Zoom out', run: () => zoomBy(-1) },
    { keys: 'Mod+0', does: '100 %', run: () => zoomTo(FULL_SIZE) },
    { keys: 'Shift+1', does: 'Fit the page', run: () => zoomToFit('page') },
    { keys: 'Shift+2', does: 'Fit the width', run: () => zoomToFit('width') },
    { keys: 'Shift+R', does: 'Show or hide rulers and guides', run: toggleRulers },
    { keys: 'PageDown', does: 'Next page', run: () => turnPage(1) },
    { keys: 'PageUp', does: 'Previous page', run: () => turnPage(-1) },
    { keys: '?', does: 'This sheet', run: () => useCanvas.setState({ sheetOpen: true }) },
  ],
};

/** Shortcuts that are handled elsewhere; listed for the sheet only. */
export const GESTURES: readonly (readonly [string, string])[] = [
  ['Arrow keys', 'Move by 1 pt; with Shift by 10 pt'],
  ['Enter', 'Place the chosen tool in the middle of the page; on a field: go to its properties'],
  [
    'Shift+F10 or Menu key',
    'Open the menu of a field, a page or an entry of the page strip; also the right mouse button',
  ],
  ['Escape in the properties', 'Back to the field'],
  ['Escape', 'Cancel a drag, leave a tool, clear the selection'],
  ['Alt while dragging', 'Ignore guides'],
  ['Shift while dragging', 'Move along one axis, keep proportions, rotate in steps of 15°'],
  ['Shift and click', 'Add to the selection or remove from it; in the list of fields also Shift and Enter'],
  ['Space and drag', 'Pan'],
  ['Mod and wheel', 'Zoom at the pointer'],
];

function toolWords(tool: Tool): string {
  if (tool === 'select') return 'Select and move';
  return tool === 'pan' ? 'Pan' : TOOLS[tool].name;
}

const byKeys = new Map(
  Object.values(SHORTCUTS)
    .flat()
    .map((shortcut) => [shortcut.keys, shortcut]),
);

function pressed(event: KeyboardEvent): string {
  const mod = event.ctrlKey || event.metaKey ? 'Mod+' : '';
  const digit = /^Digit(\d)$/.exec(event.code)?.[1];
  const bracket = { BracketLeft: '[', BracketRight: ']' }[event.code];
  if (event.key === '?') return '?';
  const key = event.shiftKey ? (digit ?? bracket ?? event.key) : event.key;
  const shift = event.shiftKey ? 'Shift+' : '';
  const name = key === '+' ? '=' : key.length === 1 ? key.toUpperCase() : key;
  return `${mod}${key === '+' ? '' : shift}${name}`;
}

/** Matches `T`, `[` and `?`, and `Shift+1`, which types a different character. */
const isSingleKey = (keys: string): boolean => /^(Shift\+)?.$/.test(keys);

export function listenToShortcuts(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (
      isTyping(event.target) ||
      event.altKey ||
      document.querySelector('dialog[open], :popover-open') !== null
    )
      return;
    const onCanvas =
      event.target === document.body ||
      (event.target instanceof Element && event.target.closest('[data-tool]') !== null);
    const overlay =
      event.target instanceof HTMLElement
        ? event.target.closest<HTMLElement>('[data-overlay]')?.dataset.overlay
        : undefined;
    const nudge = NUDGE[event.key as keyof typeof NUDGE];
    if (nudge !== undefined && onCanvas && useEditor.getState().selection.length > 0) {
      event.preventDefault();
      const step = event.shiftKey ? LARGE : 1;
      nudgeSelected(nudge[0] * step, nudge[1] * step);
    } else if (event.key === 'Enter' && onCanvas && placeWithTool()) event.preventDefault();
    else if (event.key === 'Enter' && !event.shiftKey && overlay !== undefined) {
      event.preventDefault();
      if (!useEditor.getState().selection.includes(overlay)) useEditor.getState().select([overlay]);
      goToProperties();
    } else if (event.key === 'Escape') {
      if (useCanvas.getState().tool === 'select') useEditor.getState().select([]);
      else chooseTool('select');
    } else {
      const keys = pressed(event);
      const shortcut = byKeys.get(keys);
      if (shortcut === undefined || (isSingleKey(keys) && !useSingleKeys.getState().on)) return;
      event.preventDefault();
      shortcut.run();
    }
  };
  window.addEventListener('keydown', listen);
  return () => window.removeEventListener('keydown', listen);
}
