/** Returns the ticks of an axis: a round step, at most `most` ticks, the last at or above the largest value. */
export function axisMarks(largest: number, most = 4): readonly number[] {
  if (largest <= 0) return [0, 1];
  const rough = largest / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  // Rows and jobs are integers, so the steps are too.
  const steps = [1, 2, 2.5, 5, 10].map((n) => n * power).filter(Number.isInteger);
  const step = steps.find((n) => n >= rough) ?? 1;
  const marks = [0];
  while ((marks.at(-1) ?? 0) < largest) marks.push(marks.length * step);
  return marks;
}

/** `12,500` → `12.5k`: longer labels do not fit the axis. */
export function shortNumber(n: number): string {
  if (n >= 1e9) return `${trim(n / 1e9)}G`;
  if (n >= 1e6) return `${trim(n / 1e6)}M`;
  return n >= 1e4 ? `${trim(n / 1e3)}k` : String(n);
}

const trim = (n: number) => String(Math.round(n * 10) / 10);
