import { describe, expect, it } from 'vitest';
import { placePages } from '../pages/page-column.ts';
import { snapBox } from '../snapping/snap.ts';
import { guideAt, guideWords, steppedGuide, targetsOfGuides } from './ruler-guides.ts';
import { rulerTicks } from './ruler-ticks.ts';

const column = placePages([
  { width: 600, height: 800 },
  { width: 600, height: 800 },
]);
const [first, second] = column.pages;
const on = (page: typeof first, x: number, y: number) => ({ x: (page?.x ?? 0) + x, y: (page?.y ?? 0) + y });

describe('guides', () => {
  it('[EDT104] a dragged guide: rests on whole steps of the unit, on the page under the pointer', () => {
    expect(guideAt(column, 'x', on(first, 72.4, 10), 'pt')).toEqual({ page: 1, axis: 'x', at: 72 });
    expect(guideAt(column, 'y', on(second, 10, 28.5), 'mm')).toEqual({ page: 2, axis: 'y', at: 28.346 });
    expect(guideAt(column, 'x', on(first, 72.4, 10), 'pt', true)).toMatchObject({ at: 72.4 });
    expect(guideAt(column, 'x', on(first, -3, 10), 'pt')).toBeNull();
    expect(guideAt(column, 'y', on(first, 10, -10), 'pt')).toBeNull();
  });

  it('[EDT104] arrow keys: move it by steps of the unit and keep it on the page', () => {
    const guide = { page: 1, axis: 'x', at: 72 } as const;
    expect(steppedGuide(guide, 10, 'pt', 600).at).toBe(82);
    expect(steppedGuide(guide, -1, 'mm', 600).at).toBeCloseTo((72 / 25.4) * 24, 2);
    expect(steppedGuide(guide, 999, 'pt', 600).at).toBe(600);
    expect(guideWords(guide, 'in')).toBe('Vertical guide at 1 in on page 1');
  });

  it('[EDT104] a guide of the page: attracts edges, centres and baselines', () => {
    const page = { number: 1, width: 600, height: 800 };
    const targets = targetsOfGuides(
      [
        { page: 1, axis: 'x', at: 100 },
        { page: 1, axis: 'y', at: 300 },
        { page: 2, axis: 'x', at: 210 },
      ],
      page,
    );
    expect(snapBox({ x: 103, y: 50, width: 40, height: 20 }, targets, 5).dx).toBe(-3);
    expect(snapBox({ x: 78, y: 50, width: 40, height: 20 }, targets, 5).dx).toBe(2); // its centre
    expect(snapBox({ x: 400, y: 280, width: 40, height: 20 }, targets, 5, { baseline: 296 }).dy).toBe(0);
    expect(snapBox({ x: 400, y: 270, width: 40, height: 20 }, targets, 5, { baseline: 296 }).dy).toBe(4);
    expect(snapBox({ x: 212, y: 50, width: 40, height: 20 }, targets, 5).dx).toBe(0); // of page 2
  });
});

describe('rulers', () => {
  it.each(['pt', 'mm', 'in'] as const)(
    '[EDT104] %s at any zoom: labels and marks keep their distance',
    (unit) => {
      for (const scale of [0.14, 0.5, 0.9, 1.333, 3, 8, 21]) {
        const ticks = rulerTicks(unit, scale, 0, 800);
        const labels = ticks.filter(({ label }) => label !== null);
        const gaps = (list: readonly { at: number }[]) =>
          list.slice(1).map(({ at }, index) => (at - (list[index]?.at ?? 0)) * scale);
        expect(Math.min(...gaps(ticks))).toBeGreaterThanOrEqual(4 - 1e-6);
        expect(Math.min(...gaps(labels), 1e9)).toBeGreaterThanOrEqual(44 - 1e-6);
        expect(labels[0]).toMatchObject({ at: 0, label: '0' });
      }
    },
  );

  it('[EDT104] labels: count in the unit', () => {
    const words = (unit: 'pt' | 'mm' | 'in', scale: number) =>
      rulerTicks(unit, scale, 0, 300).flatMap(({ label }) => label ?? []);
    expect(words('pt', 1.333).slice(0, 3)).toEqual(['0', '50', '100']);
    expect(words('mm', 1.333).slice(0, 3)).toEqual(['0', '20', '40']);
    expect(words('in', 1.333).slice(0, 3)).toEqual(['0', '0.5', '1']);
  });
});
