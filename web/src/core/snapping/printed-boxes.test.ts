import { describe, expect, it } from 'vitest';
import type { MarkLine, MarkShape, PageMarks } from '../page-content/read-marks.ts';
import { freePartOf, isTickBox, printedBoxAt, printedBoxNear } from './printed-boxes.ts';

const page = (content: Partial<PageMarks>): PageMarks => ({
  width: 600,
  height: 800,
  lines: [],
  shapes: [],
  glyphs: [],
  ...content,
});
const h = (at: number, from: number, to: number, thickness = 1): MarkLine => ({
  axis: 'h',
  at,
  from,
  to,
  thickness,
});
const v = (at: number, from: number, to: number, thickness = 1): MarkLine => ({
  axis: 'v',
  at,
  from,
  to,
  thickness,
});
const box = (x: number, y: number, width: number, height: number, thickness = 1): MarkLine[] => [
  h(y, x, x + width, thickness),
  h(y + height, x, x + width, thickness),
  v(x, y, y + height, thickness),
  v(x + width, y, y + height, thickness),
];
const area = (rect: [number, number, number, number], lightness: number): MarkShape => {
  const [x, y, width, height] = rect;
  return { x, y, width, height, filled: true, stroked: false, lightness, rectangular: true };
};

describe('the printed box at a point', () => {
  it('[EDT103] four lines that meet: their inside, without the width of the lines', () => {
    const form = page({ lines: box(100, 100, 200, 40, 2) });
    expect(printedBoxAt(form, { x: 150, y: 120 })).toEqual({ x: 101, y: 101, width: 198, height: 38 });
    expect(printedBoxAt(form, { x: 90, y: 120 })).toBeNull();
  });

  it('[EDT103] a table drawn cell by cell, with a box in one cell: the smallest one', () => {
    const lines = [
      ...[0, 1, 2].flatMap((row) => [h(100 + row * 30, 50, 150), h(100 + row * 30, 150.5, 250)]),
      ...[50, 150, 250].flatMap((x) => [v(x, 100, 130), v(x, 130, 160)]),
      ...box(60, 110, 10, 10),
    ];
    const form = page({ lines });
    expect(printedBoxAt(form, { x: 200, y: 140 })).toEqual({ x: 150.5, y: 130.5, width: 99, height: 29 });
    expect(printedBoxAt(form, { x: 100, y: 120 })).toEqual({ x: 50.5, y: 100.5, width: 99, height: 29 });
    expect(printedBoxAt(form, { x: 65, y: 115 })).toEqual({ x: 60.5, y: 110.5, width: 9, height: 9 });
  });

  it('[EDT103] three lines, a rule, or the border of the page: no box', () => {
    expect(printedBoxAt(page({ lines: box(100, 100, 50, 50).slice(0, 3) }), { x: 120, y: 120 })).toBeNull();
    expect(printedBoxAt(page({ lines: [h(200, 50, 300)] }), { x: 100, y: 195 })).toBeNull();
    expect(printedBoxAt(page({ lines: box(20, 20, 560, 760) }), { x: 300, y: 300 })).toBeNull();
  });

  it('[EDT103] areas: a tinted one and a white one on a tint are boxes, a plain white or a dark one is not', () => {
    const tinted = area([100, 100, 200, 60], 0.9);
    const white = area([110, 110, 80, 20], 1);
    expect(printedBoxAt(page({ shapes: [tinted, white] }), { x: 120, y: 120 })).toMatchObject({ width: 80 });
    expect(printedBoxAt(page({ shapes: [tinted, white] }), { x: 250, y: 150 })).toMatchObject({ width: 200 });
    expect(printedBoxAt(page({ shapes: [white] }), { x: 120, y: 120 })).toBeNull();
    expect(printedBoxAt(page({ shapes: [area([0, 0, 200, 30], 0.2)] }), { x: 50, y: 10 })).toBeNull();
  });

  it('[EDT101] a circle, a box character, and a press that just misses: found', () => {
    const circle = { ...area([100, 100, 12, 12], 1), filled: false, stroked: true, rectangular: false };
    expect(printedBoxAt(page({ shapes: [circle] }), { x: 104, y: 106 })).toMatchObject({ width: 11 });
    const glyph = { text: '☐', x: 50, baseline: 200, width: 10, size: 12 };
    const drawn = printedBoxAt(page({ glyphs: [glyph] }), { x: 55, y: 196 });
    expect((drawn?.x ?? 0) + (drawn?.width ?? 0) / 2).toBeCloseTo(55);
    const small = page({ lines: box(100, 100, 10, 10) });
    expect(printedBoxNear(small, { x: 98, y: 105 }, 3, isTickBox)).toMatchObject({ x: 100.5, width: 9 });
    expect(printedBoxNear(small, { x: 94, y: 105 }, 3, isTickBox)).toBeNull();
  });

  it('[EDT101] a wide or a large box: not one for a mark', () => {
    expect(isTickBox({ x: 0, y: 0, width: 12, height: 10 })).toBe(true);
    expect(isTickBox({ x: 0, y: 0, width: 120, height: 10 })).toBe(false);
    expect(isTickBox({ x: 0, y: 0, width: 90, height: 90 })).toBe(false);
  });
});

describe('the free part of a box', () => {
  const rect = { x: 100, y: 100, width: 200, height: 40 };
  const word = (x: number, baseline: number, width = 30) => ({ text: 'N', x, baseline, width, size: 8 });

  it('[EDT103] a label at the top or at the left: the rest of the box', () => {
    expect(freePartOf(page({}), rect)).toEqual(rect);
    const below = freePartOf(page({ glyphs: [word(104, 109)] }), rect);
    expect(below?.y).toBeGreaterThan(109);
    expect((below?.y ?? 0) + (below?.height ?? 0)).toBeCloseTo(140);
    const beside = freePartOf(page({ glyphs: [word(104, 125)] }), rect);
    expect(beside).toMatchObject({ x: 136, width: 164, height: 40 });
  });

  it('[EDT103] a box full of text: none', () => {
    const glyphs = [word(104, 110, 190), word(104, 122, 190), word(104, 134, 190)];
    expect(freePartOf(page({ glyphs }), rect)).toBeNull();
  });
});
