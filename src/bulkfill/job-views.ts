import type { JobViews } from '#console/job-views.ts';
import type { Db } from '#storage/database.ts';
import { listProblemRows } from './read/problem-rows.ts';

/** Export jobs as the console shows them. */
export function bulkfillJobViews(db: Db): JobViews {
  return {
    downloadPath: ({ id }) => `/export-jobs/${id}/download`,
    async problemRows(job, page) {
      const found = await listProblemRows(db, job, page);
      const items = (found?.problems ?? []).map(({ overlay_id, ...problem }) => ({
        ...problem,
        field: overlay_id,
      }));
      return { items, next_cursor: found?.nextCursor ?? null };
    },
    outcomeCounts(outcome) {
      const warned = (outcome as { summary?: { partial_rows?: unknown } } | null)?.summary?.partial_rows;
      return typeof warned === 'number' ? { warned } : {};
    },
  };
}
