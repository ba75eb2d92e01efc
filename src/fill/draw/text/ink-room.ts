import type { BaseFace } from '#fill/fonts/base-face.ts';
import { thousandths } from '#fill/fonts/pdf-font.ts';
import type { GlyphRun, TextLine } from '../display-list.ts';

/**
 * Marks of other scripts can be higher or lower than the overlay's own face (Thai tone marks, Arabic vowels). Lines are placed
 * by the overlay's own face in every row. Only if ink would leave the box, all lines move together into the free space on the
 * other side. Faces that are no taller than the overlay's own need no check.
 */
export function withInkInside(
  lines: readonly TextLine[],
  size: number,
  boxHeight: number,
  base: BaseFace,
): readonly TextLine[] {
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return lines;
  const highest = reach(first, base, 'top', base.ascent);
  const lowest = reach(last, base, 'bottom', -base.descent);
  if (highest === base.ascent && lowest === -base.descent) return lines;
  const over = first.baseline + (highest * size) / 1000 - boxHeight;
  const under = -last.baseline - (lowest * size) / 1000;
  let move = 0;
  if (over > 0 && under < 0) move = -Math.min(over, -under);
  else if (under > 0 && over < 0) move = Math.min(under, -over);
  if (move === 0) return lines;
  return lines.map((line) => ({ ...line, baseline: line.baseline + move }));
}

/** How far a line reaches above or below its baseline, in thousandths of the em; at least as far as the base face. */
function reach(line: TextLine, base: BaseFace, side: 'top' | 'bottom', least: number): number {
  let furthest = least;
  for (const run of line.runs) {
    if (run.kind !== 'glyphs') continue;
    const taller = side === 'top' ? run.face.ascent > base.ascent : run.face.descent > base.descent;
    if (taller) furthest = furthestInk(run, side, furthest);
  }
  return furthest;
}

function furthestInk({ face, glyphs }: GlyphRun, side: 'top' | 'bottom', known: number): number {
  let furthest = known;
  for (const { glyph, dy } of glyphs) {
    const ink = face.font.ink(glyph);
    if (ink === undefined) continue;
    const at = thousandths(face.font, ink[side]) + dy;
    if (side === 'top' ? at > furthest : at < furthest) furthest = at;
  }
  return furthest;
}
