export interface DayUsage {
  /** A day in UTC. */
  readonly date: string;
  readonly jobs: number;
  readonly rows: number;
  readonly failed_rows: number;
}

export interface Quota {
  readonly plan: string;
  /** Null: no limit. */
  readonly rows_per_month: number | null;
  readonly used: number;
  /** Held for jobs that have not settled. */
  readonly reserved: number;
  readonly resets_at: string;
}

export interface Usage {
  readonly account: string | null;
  readonly days: readonly DayUsage[];
  /** Null when all accounts are shown. */
  readonly quota: Quota | null;
}

export const sumDays = (days: readonly DayUsage[]): Omit<DayUsage, 'date'> =>
  days.reduce(
    (sum, day) => ({
      jobs: sum.jobs + day.jobs,
      rows: sum.rows + day.rows,
      failed_rows: sum.failed_rows + day.failed_rows,
    }),
    { jobs: 0, rows: 0, failed_rows: 0 },
  );
