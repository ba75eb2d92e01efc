import type { JobViews } from '#console/job-views.ts';
import type { Db } from '#storage/database.ts';
import type { LoadInput } from './loads/load-input.ts';
import { listProblemItems } from './loads/problem-items.ts';
import { parsePublicId, publicId, publicIdParts } from './public-id.ts';

/** Bulk loads as the console shows them. */
export function ingestJobViews(db: Db): JobViews {
  return {
    publicId: (id) => publicId('job', id),
    parseId: (text) => parsePublicId('job', text),
    idParts: (text) => publicIdParts('job', text),
    files: ({ input, rows_total: rows }) => {
      const { payload } = input as unknown as LoadInput;
      return [{ kind: 'rows', name: null, blob: payload, rows }];
    },
    async problemRows(job, { cursor, limit }) {
      const [slice = 0, line = 0] = (cursor ?? '0.0').split('.').map(Number);
      const { items, next } = await listProblemItems(db, job, { slice, line, limit });
      const shown = items.map(({ ordinal, status, sourceId, reason }) => ({
        row_number: ordinal,
        status: status.toLowerCase(),
        code: status,
        message: reason ?? '',
        field: sourceId,
      }));
      return { items: shown, next_cursor: next === undefined ? null : `${next.slice}.${next.line}` };
    },
  };
}
