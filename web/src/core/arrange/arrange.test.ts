import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Layout } from '#fill/package/layout-schema.ts';
import { emptyLayout } from '../../project/project.ts';
import { boundsOf } from '../geometry/box.ts';
import { findOverlays } from '../overlays/find-overlays.ts';
import { addOverlays, newOverlay } from '../overlays/new-overlay.ts';
import { align } from './align.ts';
import { distribute } from './distribute.ts';
import { sameSize } from './same-size.ts';
import { restack } from './z-order.ts';

const PAGES = [
  { width: 600, height: 800 },
  { width: 600, height: 800 },
];

function layoutOf(
  ...boxes: readonly (readonly [x: number, y: number, width: number, height: number, page?: number])[]
): Layout {
  return boxes.reduce<Layout>((layout, [x, y, width, height, page = 1]) => {
    const overlay = newOverlay(layout, 'text', { page, x, y }, { size: { width, height } });
    return addOverlays(layout, [overlay]);
  }, emptyLayout('test'));
}
const all = (layout: Layout) => layout.overlays;
const ids = (layout: Layout) => layout.overlays.map(({ id }) => id);

describe('align', () => {
  it('puts several on the outermost edge, page by page', () => {
    const before = layoutOf([10, 0, 50, 20], [40, 30, 100, 20], [300, 0, 10, 10, 2], [200, 0, 10, 10, 2]);
    const after = align(before, all(before), 'left', PAGES);
    expect(all(after).map(({ x }) => x)).toEqual([10, 10, 200, 200]);
    expect(all(align(before, all(before), 'right', PAGES)).map(({ x }) => x)).toEqual([90, 40, 300, 300]);
  });

  it('puts one alone on its page’s', () => {
    const before = layoutOf([10, 10, 50, 20]);
    expect(all(align(before, all(before), 'centre', PAGES))[0]).toMatchObject({ x: 275, y: 10 });
    expect(all(align(before, all(before), 'bottom', PAGES))[0]).toMatchObject({ x: 10, y: 780 });
  });

  it('goes by what is seen of a turned one', () => {
    const flat = layoutOf([100, 100, 80, 20], [300, 100, 80, 20]);
    const before = { ...flat, overlays: flat.overlays.map((one) => ({ ...one, rotation: 90 })) };
    const after = align(before, all(before), 'left', PAGES);
    expect(all(after).map((one) => Math.round(boundsOf(one).x))).toEqual([130, 130]);
  });

  it('done twice changes nothing more', () => {
    const box = fc.tuple(
      fc.integer({ min: 0, max: 500 }),
      fc.integer({ min: 0, max: 700 }),
      fc.integer({ min: 5, max: 200 }),
      fc.integer({ min: 5, max: 200 }),
    );
    const edge = fc.constantFrom(
      'left' as const,
      'centre' as const,
      'right' as const,
      'top' as const,
      'middle' as const,
      'bottom' as const,
    );
    fc.assert(
      fc.property(fc.array(box, { minLength: 2, maxLength: 8 }), edge, (boxes, side) => {
        const before = layoutOf(...boxes);
        const once = align(before, all(before), side, PAGES);
        const twice = align(once, all(once), side, PAGES);
        all(twice).forEach((overlay, index) => {
          expect(overlay.x).toBeCloseTo(all(once)[index]?.x ?? Number.NaN, 2);
          expect(overlay.y).toBeCloseTo(all(once)[index]?.y ?? Number.NaN, 2);
        });
      }),
      { numRuns: 50 },
    );
  });
});

it('distribute makes the gaps equal and keeps the outer two', () => {
  const before = layoutOf([0, 0, 20, 10], [25, 0, 40, 10], [180, 0, 20, 10]);
  const after = distribute(before, all(before), 'x');
  expect(all(after).map(({ x }) => x)).toEqual([0, 80, 180]);
  expect(distribute(before, all(before).slice(0, 2), 'x')).toBe(before);
});

it('same size follows the one that was selected first', () => {
  const before = layoutOf([0, 0, 20, 10], [25, 0, 40, 15]);
  const chosen = findOverlays(before, ['text_2', 'text_1']);
  expect(all(sameSize(before, chosen, 'both'))[0]).toMatchObject({ width: 40, height: 15 });
  expect(all(sameSize(before, chosen, 'width'))[0]).toMatchObject({ width: 40, height: 10 });
});

describe('z-order', () => {
  const before = layoutOf([0, 0, 9, 9], [0, 0, 9, 9, 2], [0, 0, 9, 9], [0, 0, 9, 9]);

  it('brings to the front and sends to the back, in order', () => {
    expect(ids(restack(before, ['text_1', 'text_3'], 'front'))).toEqual([
      'text_2',
      'text_4',
      'text_1',
      'text_3',
    ]);
    expect(ids(restack(before, ['text_3', 'text_4'], 'back'))).toEqual([
      'text_3',
      'text_4',
      'text_1',
      'text_2',
    ]);
  });

  it('steps over the next one of the same page', () => {
    expect(ids(restack(before, ['text_1'], 'forward'))).toEqual(['text_2', 'text_3', 'text_1', 'text_4']);
    expect(ids(restack(before, ['text_3'], 'backward'))).toEqual(['text_3', 'text_1', 'text_2', 'text_4']);
    expect(restack(before, ['text_4'], 'forward')).toBe(before);
    expect(restack(before, ['text_3', 'text_4'], 'forward')).toBe(before);
  });
});
