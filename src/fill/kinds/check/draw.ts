import type { ShapeItem } from '#fill/draw/display-list.ts';
import { colorOf, frameOf } from '#fill/draw/frame.ts';
import type { PlaceOverlay } from '#fill/draw/place-overlay.ts';
import { compileValue } from '#fill/values/resolve-value.ts';
import type { Overlay } from '../overlay-schema.ts';
import { checkChoices } from './choices.ts';
import type { CheckOverlay } from './schema.ts';

/** Marks as outlines in the unit square, y up. */
export const MARKS: Readonly<Record<CheckOverlay['mark'], string>> = {
  check: '.06 .5 m .18 .62 l .39 .41 l .82 .9 l .94 .79 l .39 .16 l h\n',
  cross:
    '.1 .2 m .2 .1 l .5 .4 l .8 .1 l .9 .2 l .6 .5 l .9 .8 l .8 .9 l .5 .6 l .2 .9 l .1 .8 l .4 .5 l h\n',
  dot: '.15 .5 m .15 .693 .307 .85 .5 .85 c .693 .85 .85 .693 .85 .5 c .85 .307 .693 .15 .5 .15 c .307 .15 .15 .307 .15 .5 c h\n',
  square: '.12 .12 .76 .76 re\n',
};

/** Compiles a check mark. `overlays` are all overlays of the run: marks that read the same value know each other's values. */
export function compileCheckOverlay(overlay: CheckOverlay, overlays: readonly Overlay[]): PlaceOverlay {
  const read = compileValue(overlay.value);
  const { match, unknown, isOnce } = checkChoices(overlay, overlays);
  const frame = frameOf(overlay);
  const side = Math.min(overlay.width, overlay.height);
  const item: ShapeItem = {
    kind: 'shape',
    overlayId: overlay.id,
    frame,
    color: colorOf(overlay.color),
    path: MARKS[overlay.mark],
    x: (overlay.width - side) / 2,
    y: (overlay.height - side) / 2,
    width: side,
    height: side,
  };
  return (cells, row) => {
    const answer = match(read(cells, row));
    if (answer === 'unknown') return isOnce(row) ? { code: 'OPTION_UNKNOWN', message: unknown } : null;
    if (answer === 'on') row.items.push(item);
    return null;
  };
}
