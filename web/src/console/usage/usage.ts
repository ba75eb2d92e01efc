import type { DayUsage } from '#console/contract/usage.ts';
export const sumDays = (days: readonly DayUsage[]): Omit<DayUsage, 'date'> =>
  days.reduce(
    (sum, day) => ({
      jobs: sum.jobs + day.jobs,
      rows: sum.rows + day.rows,
      failed_rows: sum.failed_rows + day.failed_rows,
    }),
    { jobs: 0, rows: 0, failed_rows: 0 },
  );
