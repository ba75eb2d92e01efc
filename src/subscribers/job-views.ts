import type { JobViews } from '#console/job-views.ts';
import type { ImportInput } from './import/import-input.ts';
import { IMPORT_KIND } from './import/kind.ts';
import { listFailedImportRows } from './import/problem-rows.ts';
import type { SubscribersKindParts } from './parts.ts';

/** Imports and exports as the console shows them. */
export function subscribersJobViews(parts: Pick<SubscribersKindParts, 'db' | 'blobs'>): JobViews {
  return {
    downloadPath: ({ kind, id }) =>
      kind === IMPORT_KIND ? `/jobs/subscriber-imports/${id}/failed-rows` : undefined,
    files: ({ kind, input }) => {
      if (kind !== IMPORT_KIND) return [];
      const { source } = input as unknown as ImportInput;
      return [{ kind: 'rows', name: null, blob: source.digest, bytes: source.bytes, rows: source.rows }];
    },
    async problemRows(job, { cursor, limit }) {
      if (job.kind !== IMPORT_KIND) return { items: [], next_cursor: null };
      const [slice = 0, record = 0] = (cursor ?? '0.0').split('.').map(Number);
      const { rows, next } = await listFailedImportRows(parts, job, { slice, record, limit });
      const items = rows.map(({ line, column, code, message }) => ({
        row_number: line,
        status: 'failed',
        code,
        message,
        field: column || null,
      }));
      return { items, next_cursor: next === undefined ? null : `${next.slice}.${next.record}` };
    },
    // An export counts its rows while it writes them.
    outcomeCounts(outcome) {
      const found = (outcome as { count?: unknown } | null)?.count;
      return typeof found === 'number' ? { found } : {};
    },
  };
}
