import type { JobFile, JobViews } from '#console/job-views.ts';
import type { Db } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import type { ExportInput } from './export-input.ts';
import { listProblemRows } from './read/problem-rows.ts';
import { hasRetryInputs } from './retry/retry-inputs.ts';
import type { RowProblem } from './row-problems.ts';

/** Export jobs as the console shows them. */
export function bulkfillJobViews(db: Db, keepPdfActions: boolean): JobViews {
  return {
    downloadPath: ({ id }) => `/export-jobs/${id}/download`,
    files: listFiles,
    async problemRows(job, page) {
      const found = await listProblemRows(db, job, page);
      const items = (found?.problems ?? []).map((problem) => {
        const { overlay_id, ...shown } = problem;
        return { ...shown, message: withLabel(problem), field: overlay_id };
      });
      return { items, next_cursor: found?.nextCursor ?? null };
    },
    outcomeCounts(outcome) {
      const warned = (outcome as { summary?: { partial_rows?: unknown } } | null)?.summary?.partial_rows;
      return typeof warned === 'number' ? { warned } : {};
    },
    async retry(job) {
      const { rows } = job.input as unknown as ExportInput;
      const all = job.state === 'failed';
      const count = all ? rows.count : job.rows_failed;
      if (job.settled_at === null || count === 0) return undefined;
      const possible = await hasRetryInputs(db, job, keepPdfActions);
      return { path: `/export-jobs/${job.id}/retry`, rows: count, all, possible };
    },
  };
}

/** Names the column by its label instead of its key. */
function withLabel({ message, column, column_label: label }: RowProblem): string {
  if (column === null || label === null) return message;
  return message.replace(new RegExp(`\\b${column}\\b`, 'g'), () => `“${label}”`);
}

function listFiles(job: JobRecord): readonly JobFile[] {
  const input = job.input as unknown as ExportInput;
  const { files } = input;
  const told = (file: { readonly name: string | null; readonly bytes: number } | undefined) => ({
    name: file?.name ?? null,
    ...(file !== undefined && { bytes: file.bytes }),
  });
  return [
    // Only the prepared form of the PDF is stored.
    {
      kind: 'pdf',
      ...told(files?.pdf),
      sha256: input.pdf,
      blob: input.base,
      isOtherForm: true,
      pages: input.pageCount,
    },
    { kind: 'package', ...told(files?.package), blob: input.package },
    { kind: 'rows', ...told(files?.rows), blob: input.rows.blob, rows: input.rows.count },
    ...(input.assets === undefined
      ? []
      : [{ kind: 'pictures' as const, ...told(files?.assets), blob: input.assets.zip }]),
  ];
}
