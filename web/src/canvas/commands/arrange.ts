import { align, type Edge } from '../../core/arrange/align.ts';
import { distribute } from '../../core/arrange/distribute.ts';
import { sameSize } from '../../core/arrange/same-size.ts';
import { type Level, restack } from '../../core/arrange/z-order.ts';
import { quantise, quantiseAngle } from '../../core/geometry/quantise.ts';
import { patchOverlays, withMembers } from '../../core/overlays/patch-overlays.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { say } from '../../ui/messages.tsx';
import { changeSelected, unlockedSelected } from './selected.ts';

export function alignSelected(edge: Edge): void {
  const pages = useEditor.getState().project?.source.pages ?? [];
  changeSelected(`Align ${edge}`, (layout, overlays) => align(layout, overlays, edge, pages));
}

export function distributeSelected(axis: 'x' | 'y'): void {
  if (unlockedSelected().length < 3) {
    say('Select three fields or more to distribute them');
    return;
  }
  const verb = axis === 'x' ? 'Distribute across' : 'Distribute down';
  changeSelected(verb, (layout, overlays) => distribute(layout, overlays, axis));
}

export function sameSizeSelected(what: 'width' | 'height' | 'both'): void {
  const verb = { width: 'Same width', height: 'Same height', both: 'Same size' }[what];
  changeSelected(verb, (layout, overlays) => sameSize(layout, overlays, what));
}

const LEVEL_VERBS = {
  front: 'Bring to front',
  forward: 'Bring forward',
  backward: 'Send backward',
  back: 'Send to back',
} as const;

export function restackSelected(level: Level): void {
  changeSelected(LEVEL_VERBS[level], (layout, overlays) =>
    restack(
      layout,
      overlays.map(({ id }) => id),
      level,
    ),
  );
}

export function nudgeSelected(x: number, y: number): void {
  changeSelected('Nudge', (layout, overlays) =>
    patchOverlays(
      layout,
      overlays.map(({ id }) => id),
      (overlay) => withMembers(overlay, { x: quantise(overlay.x + x), y: quantise(overlay.y + y) }),
    ),
  );
  const [first] = unlockedSelected();
  if (first !== undefined) say(`x ${first.x}, y ${first.y}`);
}

export function rotateSelected(degrees: number): void {
  changeSelected('Rotate', (layout, overlays) =>
    patchOverlays(
      layout,
      overlays.map(({ id }) => id),
      (overlay) => withMembers(overlay, { rotation: quantiseAngle(overlay.rotation + degrees) }),
    ),
  );
}
