import type { Unit } from '../geometry/units.ts';

/** A mark of a ruler. `at` is in points; only the longest marks have a label. */
export interface RulerTick {
  readonly at: number;
  readonly label: string | null;
  /** 0 for the longest marks, 2 for the shortest. */
  readonly rank: 0 | 1 | 2;
}

/** Distances between labels in the unit, each with the number of its parts. */
const STEPS: Readonly<Record<Unit, readonly (readonly [step: number, parts: number])[]>> = {
  pt: [
    [5, 5],
    [10, 10],
    [20, 4],
    [50, 10],
    [100, 10],
    [200, 4],
    [500, 10],
    [1000, 10],
  ],
  mm: [
    [1, 10],
    [2, 4],
    [5, 10],
    [10, 10],
    [20, 4],
    [50, 10],
    [100, 10],
    [200, 4],
  ],
  in: [
    [0.125, 4],
    [0.25, 4],
    [0.5, 8],
    [1, 16],
    [2, 8],
    [5, 10],
    [10, 10],
  ],
};
const POINTS: Readonly<Record<Unit, number>> = { pt: 1, mm: 72 / 25.4, in: 72 };
/** Least distance of two labels and of two marks, in pixels. */
const LABEL_ROOM = 44;
const MARK_ROOM = 4;

/** The marks from `from` to `to` points at `scale` pixels per point. */
export function rulerTicks(unit: Unit, scale: number, from: number, to: number): RulerTick[] {
  const points = POINTS[unit];
  const choices = STEPS[unit];
  const [step, most] = choices.find(([size]) => size * points * scale >= LABEL_ROOM) ??
    choices.at(-1) ?? [1, 1];
  const parts = [most, most / 2, most / 4, 1].find(
    (count) => Number.isInteger(count) && (step * points * scale) / count >= MARK_ROOM,
  );
  const count = parts ?? 1;
  const distance = (step / count) * points;
  const ticks: RulerTick[] = [];
  for (let index = Math.ceil(from / distance - 1e-6) || 0; index * distance <= to + 1e-6; index += 1) {
    const isLabelled = index % count === 0;
    const isHalf = count % 2 === 0 && index % (count / 2) === 0;
    ticks.push({
      at: index * distance,
      label: isLabelled ? String(Number(((index / count) * step).toFixed(3))) : null,
      rank: isLabelled ? 0 : isHalf ? 1 : 2,
    });
  }
  return ticks;
}
