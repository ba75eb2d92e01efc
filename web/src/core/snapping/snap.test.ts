import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snapBox, snapEdges } from './snap.ts';
import { joinTargets, NO_TARGETS, targetsOfBoxes, targetsOfPage, targetsOfPrintedBox } from './snap-lines.ts';
import { type OperatorNumbers, templateTargets } from './template-lines.ts';

const page = { width: 600, height: 800 };

describe('a moving box', () => {
  it('rests on the edge of another, with a guide along both', () => {
    const targets = targetsOfBoxes([{ x: 100, y: 50, width: 80, height: 20 }]);
    const snapped = snapBox({ x: 103, y: 300, width: 40, height: 20 }, targets, 5);
    expect(snapped).toMatchObject({ dx: -3, dy: 0 });
    expect(snapped.guides).toEqual([{ axis: 'x', kind: 'line', at: 100, from: 50, to: 320 }]);
  });

  it('rests with its centre on the page’s', () => {
    const snapped = snapBox({ x: 278, y: 10, width: 50, height: 20 }, targetsOfPage(page), 5);
    expect(snapped).toMatchObject({ dx: -3, dy: 0 });
    expect(snapped.guides[0]).toMatchObject({ axis: 'x', at: 300 });
  });

  it('does not rest an edge on a centre line', () => {
    expect(snapBox({ x: 302, y: 200, width: 50, height: 20 }, targetsOfPage(page), 5).dx).toBe(0);
  });

  it('prefers the nearest line, and of two as near an overlay’s', () => {
    const targets = joinTargets(
      targetsOfPage(page),
      targetsOfBoxes([{ x: 4, y: 400, width: 10, height: 10 }]),
    );
    expect(snapBox({ x: 2, y: 100, width: 50, height: 20 }, targets, 5).dx).toBe(2);
    expect(snapBox({ x: 1, y: 100, width: 50, height: 20 }, targets, 5).dx).toBe(-1);
  });

  it('[EDT102] the printed box under the pointer: wins over nearer lines within the tolerance', () => {
    const preferred = targetsOfPrintedBox({ x: 100, y: 100, width: 200, height: 30 }, false);
    const others = targetsOfBoxes([{ x: 103, y: 300, width: 10, height: 10 }]);
    const moving = { x: 104, y: 200, width: 50, height: 20 };
    expect(snapBox(moving, others, 5).dx).toBe(-1);
    expect(snapBox(moving, others, 5, { preferred }).dx).toBe(-4);
    expect(snapBox({ ...moving, x: 107 }, others, 5, { preferred }).dx).toBe(-4); // too far from the box
    const mark = { x: 100, y: 100, width: 12, height: 12 };
    const tick = targetsOfPrintedBox({ x: 98, y: 103, width: 10, height: 10 }, true);
    expect(snapBox(mark, others, 5, { preferred: tick })).toMatchObject({ dx: -3, dy: 2 });
    const corner = { x: [{ at: 104, role: 'edge' as const }], y: [] };
    expect(snapEdges(corner, moving, others, 5, preferred).dx).toBe(-4);
  });

  it('rests a text’s baseline on the template’s', () => {
    const line = { at: 120, role: 'baseline', of: 'template', from: 10, to: 90 } as const;
    const snapped = snapBox({ x: 200, y: 100, width: 50, height: 24 }, { ...NO_TARGETS, y: [line] }, 5, {
      baseline: 117,
    });
    expect(snapped.dy).toBe(3);
  });

  it('finds the middle of a gap, and goes on with a row’s spacing', () => {
    const row = [
      { x: 0, y: 0, width: 50, height: 20 },
      { x: 80, y: 0, width: 50, height: 20 },
    ];
    const next = snapBox({ x: 162, y: 4.7, width: 40, height: 20 }, { ...NO_TARGETS, boxes: row }, 5);
    expect(next.dx).toBe(-2); // 30 points after 130
    expect(next.guides.map(({ kind }) => kind)).toEqual(['gap', 'gap']);
    const wide = [row[0], { x: 200, y: 0, width: 50, height: 20 }].filter((box) => box !== undefined);
    expect(snapBox({ x: 107, y: 4.7, width: 40, height: 20 }, { ...NO_TARGETS, boxes: wide }, 5).dx).toBe(-2);
  });

  it('never moves farther than the tolerance', () => {
    const rect = fc.record({
      x: fc.double({ min: 0, max: 600, noNaN: true }),
      y: fc.double({ min: 0, max: 800, noNaN: true }),
      width: fc.double({ min: 1, max: 200, noNaN: true }),
      height: fc.double({ min: 1, max: 200, noNaN: true }),
    });
    fc.assert(
      fc.property(rect, fc.array(rect, { maxLength: 20 }), (moving, others) => {
        const { dx, dy, guides } = snapBox(
          moving,
          joinTargets(targetsOfPage(page), targetsOfBoxes(others)),
          6,
        );
        expect(Math.abs(dx)).toBeLessThanOrEqual(6);
        expect(Math.abs(dy)).toBeLessThanOrEqual(6);
        if (guides.length === 0) expect([dx, dy]).toEqual([0, 0]);
      }),
    );
  });
});

it('single edges move alone', () => {
  const offers = { x: [{ at: 598, role: 'edge' as const }], y: [] };
  expect(snapEdges(offers, { x: 0, y: 0, width: 598, height: 5 }, targetsOfPage(page), 5)).toMatchObject({
    dx: 2,
    dy: 0,
  });
});

describe('the template’s own lines', () => {
  const numbers: OperatorNumbers = {
    save: 1,
    restore: 2,
    transform: 3,
    constructPath: 4,
    paintFormXObjectBegin: 5,
    paintFormXObjectEnd: 6,
  };
  const path = (...values: number[]) => [0, [Float32Array.from(values)], null];
  const toPage = [1, 0, 0, -1, 0, 800] as const;

  it('are level and upright pieces of paths, where the matrix in force puts them', () => {
    const { x, y } = templateTargets(
      {
        operators: [4, 1, 3, 4, 2, 4],
        operands: [
          path(0, 50, 700, 1, 250, 700), // a rule
          null,
          [2, 0, 0, 2, 10, 0],
          path(0, 20, 100, 1, 20, 150, 1, 60, 190), // upright, then slanted
          null,
          path(0, 5, 600, 1, 5, 500, 4), // closed: back along itself
        ],
        texts: [],
        toPage,
      },
      numbers,
    );
    expect(y).toEqual([{ at: 100, role: 'edge', of: 'template', from: 50, to: 250 }]);
    expect(x.map(({ at }) => at)).toEqual([50, 5]);
    expect(x[0]).toMatchObject({ from: 500, to: 600 });
  });

  it('are baselines and left edges of its texts', () => {
    const texts = [{ transform: [12, 0, 0, 12, 72, 640], width: 60, str: 'Name' }];
    const { x, y } = templateTargets({ operators: [], operands: [], texts, toPage }, numbers);
    expect(y).toEqual([{ at: 160, role: 'baseline', of: 'template', from: 72, to: 132 }]);
    expect(x[0]).toMatchObject({ at: 72, role: 'edge' });
  });
});
