import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Box, cornersOf } from '../geometry/box.ts';
import { HANDLES, LEAST_EXTENT, pullOf, resized, scaledInto } from './resize.ts';
import { angleTo, settledAngle } from './rotate.ts';

const box: fc.Arbitrary<Box> = fc.record({
  x: fc.double({ min: -500, max: 500, noNaN: true }),
  y: fc.double({ min: -500, max: 500, noNaN: true }),
  width: fc.double({ min: 10, max: 500, noNaN: true }),
  height: fc.double({ min: 10, max: 500, noNaN: true }),
  rotation: fc.double({ min: -180, max: 180, noNaN: true }),
});
const delta = fc.record({
  x: fc.double({ min: -800, max: 800, noNaN: true }),
  y: fc.double({ min: -800, max: 800, noNaN: true }),
});

it('the corner opposite to a dragged one stays where it is, however the box is turned', () => {
  const opposite = { nw: 2, ne: 3, se: 0, sw: 1 } as const;
  fc.assert(
    fc.property(
      box,
      fc.constantFrom('nw' as const, 'ne' as const, 'se' as const, 'sw' as const),
      delta,
      fc.boolean(),
      (one, handle, by, keep) => {
        const before = cornersOf(one)[opposite[handle]];
        const after = cornersOf(resized(one, handle, by, keep))[opposite[handle]];
        expect(after?.x).toBeCloseTo(before?.x ?? Number.NaN, 5);
        expect(after?.y).toBeCloseTo(before?.y ?? Number.NaN, 5);
      },
    ),
  );
});

it('a box never gets too small to grip, and keeps its proportions when asked', () => {
  fc.assert(
    fc.property(box, fc.constantFrom(...HANDLES), delta, (one, handle, by) => {
      const free = resized(one, handle, by, false);
      expect(Math.min(free.width, free.height)).toBeGreaterThanOrEqual(LEAST_EXTENT);
      const kept = resized(one, handle, by, true);
      expect(kept.width / kept.height).toBeCloseTo(one.width / one.height, 5);
    }),
  );
});

it('a handle moves only its own edges', () => {
  const one = { x: 10, y: 10, width: 100, height: 50, rotation: 0 };
  expect(resized(one, 'e', { x: 20, y: 99 }, false)).toEqual({ ...one, width: 120 });
  expect(resized(one, 'n', { x: 99, y: -10 }, false)).toEqual({ ...one, y: 0, height: 60 });
  expect(pullOf('sw')).toEqual({ x: -1, y: 1 });
});

it('boxes follow the frame around them', () => {
  const one = { x: 20, y: 10, width: 20, height: 10, rotation: 0 };
  const from = { x: 0, y: 0, width: 100, height: 100 };
  const to = { x: 0, y: 0, width: 200, height: 50 };
  expect(scaledInto(one, from, to)).toEqual({ x: 40, y: 5, width: 40, height: 5, rotation: 0 });
});

it('the handle above a box turns it: steps with Shift, quarter turns attract', () => {
  expect(angleTo({ x: 0, y: 0 }, { x: 0, y: -10 })).toBe(0);
  expect(angleTo({ x: 0, y: 0 }, { x: 10, y: 0 })).toBe(90);
  expect(settledAngle(52, { steps: true, free: false })).toBe(45);
  expect(settledAngle(88, { steps: false, free: false })).toBe(90);
  expect(settledAngle(88, { steps: false, free: true })).toBe(88);
});
