import { createHash } from 'node:crypto';
import type { FinishedWork, JobKind, JobOutcome, JobPlan, NewArtifact } from '#engine/job-kind.ts';
import { listImportCounts } from '#storage/subscribers/imports.ts';
import type { SubscribersKindParts } from '../parts.ts';
import { announceJob } from '../webhooks/announce.ts';
import { failedRowsHeader } from './failed-rows.ts';
import type { ImportInput, ImportOutcome, ImportResult, ImportSlice } from './import-input.ts';
import { runFirstPass } from './run-first-pass.ts';
import { runRows } from './run-rows.ts';
import { showImportSummary } from './views.ts';

export const IMPORT_KIND = 'subscribers.import';

/**
 * The job kind of imports. Slices run in order, because the first pass must end before a row is written. The merges of
 * one job would wait for the same lock anyway.
 */
export function importKind(parts: SubscribersKindParts): JobKind<ImportInput, ImportSlice, ImportResult> {
  return {
    name: IMPORT_KIND,
    plan: planImport,
    runSlice: (run) =>
      run.slice.part === 'first-pass'
        ? runFirstPass(parts, run)
        : runRows(parts, run, run.slice.at, run.slice.alone),
    finish: (work) => finishImport(parts, work),
    failure: (reason) => ({
      state: 'failed',
      error:
        reason === 'cancelled'
          ? { code: 'import_cancelled', message: 'The import was cancelled.' }
          : {
              code: 'import_failed',
              message: 'The import failed. Rows imported so far are kept.',
            },
    }),
    announce: (settled, tx) =>
      announceJob(parts, tx, 'import', settled, async () => {
        const { job } = settled;
        return showImportSummary(job, (await listImportCounts(tx, [job.id])).get(job.id));
      }),
  };
}

function planImport({ source }: ImportInput): JobPlan<ImportSlice> {
  const alone = source.slices.length === 1;
  const rows = source.slices.map((at) => ({
    input: { part: 'rows', alone, at } satisfies ImportSlice,
    rows: at.rows,
  }));
  const firstPass = { input: { part: 'first-pass' } satisfies ImportSlice, rows: 0 };
  return { ordered: true, slices: alone ? rows : [firstPass, ...rows] };
}

async function finishImport(
  parts: SubscribersKindParts,
  work: FinishedWork<ImportInput, ImportResult>,
): Promise<JobOutcome> {
  const counts = (await listImportCounts(parts.db, [work.job.id])).get(work.job.id);
  if (counts === undefined) throw new Error(`bug: import ${work.job.id} finished without a first pass`);
  const failed = work.slices.reduce((sum, slice) => sum + slice.rowsFailed, 0);
  const outcome: ImportOutcome = { ...counts, failed };
  const artifact = failed === 0 ? undefined : await composeReport(parts, work);
  return { state: 'completed', outcome, ...(artifact !== undefined && { artifact }) };
}

/** The report consists of the header and the lines of all slices, assembled when it is read. */
async function composeReport(
  parts: SubscribersKindParts,
  work: FinishedWork<ImportInput, ImportResult>,
): Promise<NewArtifact> {
  const header = Buffer.from(failedRowsHeader(work.input.source.headers));
  const first = await parts.blobs.put(work.job.account_id, header);
  const reports = work.slices.flatMap((slice) => slice.result?.failed ?? []);
  const blobs = [first.digest, ...reports.map((report) => report.digest)];
  const contents = await parts.blobs.contentDigests(blobs);
  return {
    mediaType: 'text/csv; charset=utf-8',
    sizeBytes: first.size + reports.reduce((sum, report) => sum + report.bytes, 0),
    etag: createHash('sha256').update(contents.join(' ')).digest('hex'),
    parts: { blobs },
    blobs,
  };
}
