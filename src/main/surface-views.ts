import { EXPORT_KIND } from '#bulkfill/export-input.ts';
import { listProblemRows } from '#bulkfill/read/problem-rows.ts';
import type { ProblemPage, ProblemRows, SurfaceViews } from '#console/surface-views.ts';
import type { Blobs } from '#engine/blobs.ts';
import { ACTING_PREFIX } from '#http/dialects/choose-dialect.ts';
import { collections, findCollection, getCollection } from '#ingest/collections/registry.ts';
import { LOAD_KIND } from '#ingest/loads/load-input.ts';
import { listProblemItems } from '#ingest/loads/problem-items.ts';
import { parsePublicId, publicId } from '#ingest/public-id.ts';
import { isUuid } from '#lib/ids.ts';
import { BlobMissing } from '#storage/blobs/blob-store.ts';
import type { Db } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { IMPORT_KIND } from '#subscribers/import/kind.ts';
import { listFailedImportRows } from '#subscribers/import/problem-rows.ts';

interface ViewParts {
  readonly db: Db;
  readonly blobs: Blobs;
}

/** What the console asks the surfaces; here, because this is the only place that knows all of them. */
export function surfaceViews(parts: ViewParts): SurfaceViews {
  return {
    publicJobId: (kind, id) => (kind === LOAD_KIND ? publicId('job', id) : id),
    parseJobId: (text) => (isUuid(text) ? text.toLowerCase() : parsePublicId('job', text)),
    downloadPath: ({ kind, id }) => {
      if (kind === EXPORT_KIND) return `${ACTING_PREFIX}/bulkfill/export-jobs/${id}/download`;
      if (kind === IMPORT_KIND)
        return `${ACTING_PREFIX}/subscribers/jobs/subscriber-imports/${id}/failed-rows`;
      return null;
    },
    problemRows: async (job, page) => {
      try {
        return await problemRows(parts, job, page);
      } catch (error) {
        if (error instanceof BlobMissing) return undefined;
        throw error;
      }
    },
    collectionName: (no) => getCollection(no).path,
    collectionNames: collections.map(({ path }) => path),
    collectionNo: (name) => findCollection(name)?.no,
  };
}

async function problemRows(
  parts: ViewParts,
  job: JobRecord,
  { cursor, limit }: ProblemPage,
): Promise<ProblemRows> {
  const [first = 0, second = 0] = (cursor ?? '0.0').split('.').map(Number);
  if (job.kind === EXPORT_KIND) {
    const page = await listProblemRows(parts.db, job, { cursor, limit });
    const items = (page?.problems ?? []).map(({ overlay_id, ...problem }) => ({
      ...problem,
      field: overlay_id,
    }));
    return { items, next_cursor: page?.nextCursor ?? null };
  }
  if (job.kind === IMPORT_KIND) {
    const page = { slice: first, record: second, limit };
    const { rows, next } = await listFailedImportRows(parts, job, page);
    const items = rows.map(({ line, column, code, message }) => ({
      row_number: line,
      status: 'failed',
      code,
      message,
      field: column || null,
    }));
    return { items, next_cursor: next === undefined ? null : `${next.slice}.${next.record}` };
  }
  if (job.kind === LOAD_KIND) {
    const { items, next } = await listProblemItems(parts.db, job, { slice: first, line: second, limit });
    const shown = items.map(({ ordinal, status, sourceId, reason }) => ({
      row_number: ordinal,
      status: status.toLowerCase(),
      code: status,
      message: reason ?? '',
      field: sourceId,
    }));
    return { items: shown, next_cursor: next === undefined ? null : `${next.slice}.${next.line}` };
  }
  return { items: [], next_cursor: null };
}
