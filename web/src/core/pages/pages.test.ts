import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contains } from '../geometry/rect.ts';
import { findPage, pageAtHeight, pagesBetween, placePages, toColumn, toPage } from './page-column.ts';
import { clampScale, FULL_SIZE, fitScale, percentOf, stepScale } from './zoom.ts';

const size = fc.record({
  width: fc.integer({ min: 50, max: 2_000 }),
  height: fc.integer({ min: 50, max: 2_000 }),
});

it('every place on a page is found on that page, and pages do not meet', () => {
  fc.assert(
    fc.property(
      fc.array(size, { minLength: 1, maxLength: 120 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (sizes, share) => {
        const column = placePages(sizes);
        column.pages.forEach((page, index) => {
          const point = { x: page.width * share, y: page.height * share };
          expect(pageAtHeight(column, toColumn(page, point).y)).toBe(page);
          expect(toPage(page, toColumn(page, point)).y).toBeCloseTo(point.y);
          expect(contains({ x: 0, y: 0, width: column.width, height: column.height }, page)).toBe(true);
          const next = column.pages[index + 1];
          if (next !== undefined) expect(next.y).toBeGreaterThan(page.y + page.height);
        });
      },
    ),
    { numRuns: 40 },
  );
});

it('a window shows the pages it touches', () => {
  const column = placePages(Array.from({ length: 100 }, () => ({ width: 612, height: 792 })));
  const fifth = findPage(column, 5);
  expect(pagesBetween(column, fifth?.y ?? 0, (fifth?.y ?? 0) + 900)).toEqual([5, 6]);
  expect(pagesBetween(column, -500, 10)).toEqual([1, 1]);
  expect(pagesBetween(column, 1e9, 2e9)).toEqual([100, 100]);
});

it('zoom steps through its stops and stays within its bounds', () => {
  expect(percentOf(stepScale(FULL_SIZE, 1))).toBe(125);
  expect(percentOf(stepScale(FULL_SIZE, -1))).toBe(75);
  expect(percentOf(stepScale(FULL_SIZE * 1.4, -1))).toBe(125);
  let scale = FULL_SIZE;
  for (let step = 0; step < 30; step += 1) scale = stepScale(scale, 1);
  expect(percentOf(scale)).toBe(1600);
  expect(percentOf(clampScale(0))).toBe(10);
  const fit = fitScale({ width: 600, height: 800 }, { width: 1_000, height: 848 }, 'page');
  expect(fit).toBeCloseTo(1);
});
