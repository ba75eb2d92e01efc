import type { Blobs } from '#engine/blobs.ts';
import { splitKnownRecord } from '#lib/records/csv/split-record.ts';
import type { Db } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { listSliceResults } from '#storage/jobs/slice-results.ts';
import type { ImportResult } from './import-input.ts';

export interface FailedImportRow {
  readonly line: number;
  readonly column: string;
  readonly code: string;
  readonly message: string;
}

/**
 * Lists failed rows of an import in file order, with line and reason but without values. `position` is the slice, and
 * the record in it, at which the page starts.
 */
export async function listFailedImportRows(
  { db, blobs }: { readonly db: Db; readonly blobs: Blobs },
  job: Pick<JobRecord, 'id'>,
  page: { readonly slice: number; readonly record: number; readonly limit: number },
): Promise<{
  readonly rows: readonly FailedImportRow[];
  readonly next: { readonly slice: number; readonly record: number } | undefined;
}> {
  const rows: FailedImportRow[] = [];
  for (const { n, result } of await listSliceResults(db, job.id)) {
    const report = (result as ImportResult | null)?.failed;
    if (report === undefined || n < page.slice) continue;
    const records = recordsOf((await blobs.readAll(report.digest)).toString());
    for (let i = n === page.slice ? page.record : 0; i < records.length; i += 1) {
      if (rows.length === page.limit) return { rows, next: { slice: n, record: i } };
      const [line = '', column = '', , code = '', message = ''] = records[i] ?? [];
      rows.push({ line: Number(line), column, code, message });
    }
  }
  return { rows, next: undefined };
}

function recordsOf(report: string): string[][] {
  const records: string[][] = [];
  for (let at = 0; at < report.length; ) {
    const { cells, end } = splitKnownRecord(report, at, ',');
    records.push(cells);
    at = end;
  }
  return records;
}
