import type { ShapeItem } from '#fill/draw/display-list.ts';
import { colorOf, frameOf } from '#fill/draw/frame.ts';
import type { PlaceOverlay } from '#fill/draw/place-overlay.ts';
import { compileTick, noTickWord } from '#fill/values/match-option.ts';
import { compileValue } from '#fill/values/resolve-value.ts';
import type { CheckOverlay } from './schema.ts';

/** Marks as outlines in the unit square, y up. */
export const MARKS: Readonly<Record<CheckOverlay['mark'], string>> = {
  check: '.06 .5 m .18 .62 l .39 .41 l .82 .9 l .94 .79 l .39 .16 l h\n',
  cross:
    '.1 .2 m .2 .1 l .5 .4 l .8 .1 l .9 .2 l .6 .5 l .9 .8 l .8 .9 l .5 .6 l .2 .9 l .1 .8 l .4 .5 l h\n',
  dot: '.15 .5 m .15 .693 .307 .85 .5 .85 c .693 .85 .85 .693 .85 .5 c .85 .307 .693 .15 .5 .15 c .307 .15 .15 .307 .15 .5 c h\n',
  square: '.12 .12 .76 .76 re\n',
};

/** Compiles a check mark. Its value is matched like that of a native checkbox whose only on-state is `on_value`. */
export function compileCheckOverlay(overlay: CheckOverlay): PlaceOverlay {
  const read = compileValue(overlay.value);
  const onValues = overlay.on_value === undefined ? [] : [overlay.on_value];
  const match = compileTick(onValues.map((value) => ({ value, label: value })));
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
    if (answer === 'unknown')
      return { code: 'OPTION_UNKNOWN', message: `Check mark: ${noTickWord(onValues)}` };
    if (answer === 'on') row.items.push(item);
    return null;
  };
}
