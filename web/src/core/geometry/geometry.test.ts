import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsOf, boxContains, boxesOverlap, cornersOf, turned } from './box.ts';
import { quantise, quantiseAngle } from './quantise.ts';
import { between, centreOf, unionOf } from './rect.ts';
import { formatLength, parseLength } from './units.ts';

const length = fc.double({ min: -2_000, max: 2_000, noNaN: true });
const extent = fc.double({ min: 1, max: 1_000, noNaN: true });
const box = fc.record({
  x: length,
  y: length,
  width: extent,
  height: extent,
  rotation: fc.double({ min: -360, max: 360, noNaN: true }),
});

describe('boxes', () => {
  it('are turned clockwise about their centre', () => {
    const [corner] = cornersOf({ x: 0, y: 0, width: 100, height: 40, rotation: 90 });
    expect(corner?.x).toBeCloseTo(70);
    expect(corner?.y).toBeCloseTo(-30);
  });

  it('lie within their bounds, which are the box itself when it is not turned', () => {
    fc.assert(
      fc.property(box, (one) => {
        const bounds = boundsOf(one);
        for (const { x, y } of cornersOf(one)) {
          expect(x).toBeGreaterThanOrEqual(bounds.x - 1e-6);
          expect(x).toBeLessThanOrEqual(bounds.x + bounds.width + 1e-6);
          expect(y).toBeGreaterThanOrEqual(bounds.y - 1e-6);
          expect(y).toBeLessThanOrEqual(bounds.y + bounds.height + 1e-6);
        }
        const { rotation: _, ...rect } = one;
        expect(boundsOf({ ...one, rotation: 0 })).toEqual(rect);
      }),
    );
  });

  it('hold their centre and what they hold stays in them when both are turned', () => {
    fc.assert(
      fc.property(box, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (one, share) => {
        const centre = centreOf(one);
        const point = { x: one.x + one.width * share, y: one.y + one.height * share };
        expect(boxContains(one, centre)).toBe(true);
        expect(boxContains(one, turned(point, centre, one.rotation), 1e-6)).toBe(true);
      }),
    );
  });

  it('overlap only where they share ground: a slanted one passes a corner of the other', () => {
    const square = { x: 0, y: 0, width: 100, height: 100, rotation: 0 };
    const diamond = { x: 90, y: 90, width: 100, height: 100, rotation: 45 };
    expect(boxesOverlap(square, { ...diamond, rotation: 0 })).toBe(true);
    expect(boxesOverlap(square, diamond)).toBe(false);
    expect(boxesOverlap(square, { ...square, x: 100 })).toBe(false);
  });
});

describe('rectangles', () => {
  it('between two points do not depend on their order, and a union holds all', () => {
    expect(between({ x: 9, y: 1 }, { x: 2, y: 5 })).toEqual({ x: 2, y: 1, width: 7, height: 4 });
    expect(unionOf([])).toBeNull();
    expect(
      unionOf([
        { x: 0, y: 0, width: 10, height: 10 },
        { x: 20, y: -5, width: 5, height: 5 },
      ]),
    ).toEqual({ x: 0, y: -5, width: 25, height: 15 });
  });
});

describe('lengths', () => {
  it('are kept to a thousandth of a point and never as minus zero', () => {
    expect(quantise(1.00049)).toBe(1);
    expect(Object.is(quantise(-0.0001), 0)).toBe(true);
    expect(quantiseAngle(270)).toBe(-90);
    expect(quantiseAngle(-180)).toBe(180);
  });

  it('survive being shown and read in any unit', () => {
    fc.assert(
      fc.property(length, fc.constantFrom('pt' as const, 'mm' as const, 'in' as const), (value, unit) => {
        const points = quantise(value);
        const read = parseLength(formatLength(points, unit), unit);
        expect(Math.abs((read ?? Number.NaN) - points)).toBeLessThanOrEqual(0.0011);
      }),
    );
  });

  it.each([
    ['25.4 mm', 72],
    ['2,54cm', 72],
    ['1in', 72],
    ['1"', 72],
    ['.5', 0.5],
    ['-3', -3],
    ['', undefined],
    ['3 apples', undefined],
    ['1e9', undefined],
  ])('read %j', (text, points) => {
    expect(parseLength(text, 'pt')).toBe(points);
  });
});
