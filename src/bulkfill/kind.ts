import type { Blobs } from '#engine/blobs.ts';
import type { FailedOutcome, JobKind } from '#engine/job-kind.ts';
import { MergedTooLarge } from '#fill/merge/place-fragment.ts';
import type { FillThreads } from '#fill/node/threads/fill-threads.ts';
import { failuresToAbort } from '#fill/results/threshold.ts';
import type { Clock } from '#lib/clock.ts';
import type { Slice } from '#lib/records/slice.ts';
import type { Db, Tx } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { insertSliceProblems, sumSliceLengths } from '#storage/jobs/slice-results.ts';
import { insertVerifyIds } from '#storage/verify-ids.ts';
import { ArtifactReader } from './artifact/artifact-reader.ts';
import { composeArtifact } from './artifact/compose-artifact.ts';
import type { HandOff } from './artifact/hand-off.ts';
import { bulkfillErrors } from './errors.ts';
import { type ArtifactParts, EXPORT_KIND, type ExportInput, type SliceResult } from './export-input.ts';
import { FilledSliceBytes } from './filled-slice-bytes.ts';
import { encodeProblems, MAX_KEPT_PROBLEMS, rowProblems } from './row-problems.ts';
import type { Templates } from './templates.ts';
import { thresholdFailure } from './threshold-failure.ts';
import { announceExport } from './webhooks/announce.ts';

export interface BulkfillKindParts {
  readonly db: Db;
  readonly blobs: Blobs;
  readonly templates: Templates;
  readonly threads: FillThreads;
  readonly maxStoredBytes: number;
  readonly handOff: HandOff;
  readonly sealKey: Uint8Array;
  readonly clock: Clock;
  /** How long the ids of documents can be verified. */
  readonly verifySeconds: number;
}

/** The job kind of Bulk Fill: rows of one template, about a thousand per slice. */
export function exportKind(parts: BulkfillKindParts): JobKind<ExportInput, Slice, SliceResult> {
  const { blobs, templates, threads } = parts;
  return {
    name: EXPORT_KIND,

    plan({ rows, options }) {
      const failLimit = failuresToAbort(rows.count, options.max_failed_row_percent);
      const slices = rows.slices.map((slice) => ({ input: slice, rows: slice.rows }));
      return failLimit <= rows.count ? { slices, failLimit } : { slices };
    },

    async runSlice({ jobId, accountId, n, input, slice, signal }) {
      // `finish` fails the job. Until then no more rows are drawn or stored.
      const room = parts.maxStoredBytes - (await sumSliceLengths(parts.db, jobId));
      if (room < 0) return NOTHING_DRAWN;
      const [template, rows] = await Promise.all([
        templates.open(input),
        blobs.readAll(input.rows.blob, { start: slice.start, end: slice.end }),
      ]);
      const filled = new FilledSliceBytes(threads.fill(template, slice.firstRow, rows, signal), {
        keepTails: !input.options.dry_run,
        maxBytes: room,
      });
      const { digest, size } = await blobs.put(accountId, filled.bytes());
      const { records, tailsLength } = filled;
      const failed = records
        .filter(({ result }) => result.status === 'failed')
        .map(({ result }) => result.row_number);
      const problems = rowProblems(records, template.plan.layout);
      return {
        result: { blob: digest, tailsLength, length: size, failed },
        rowsFailed: failed.length,
        blobs: [digest],
        ...(problems.length > 0 && {
          write: (tx) =>
            insertSliceProblems(
              tx,
              { jobId, n, count: problems.length, problems: encodeProblems(problems) },
              MAX_KEPT_PROBLEMS,
            ),
        }),
      };
    },

    async finish({ job, input, slices }) {
      const failure = thresholdFailure(input, slices);
      if (failure !== undefined) return { state: 'failed', error: failure };
      const done = slices.flatMap(({ result }) => result ?? []);
      const stored = done.reduce((sum, slice) => sum + slice.length, 0);
      if (stored > parts.maxStoredBytes) return plainFailure('OUTPUT_TOO_LARGE');
      try {
        const { artifact, summary, verifyIds } = await composeArtifact(parts, job, input, done);
        const delivered = await parts.handOff.prepare(artifact, () =>
          ArtifactReader.open({ blobs, templates }, artifact.parts as ArtifactParts),
        );
        return {
          state: 'completed',
          artifact: delivered,
          outcome: { summary },
          ...(verifyIds.length > 0 && { write: (tx) => recordIssued(tx, parts, job, input, verifyIds) }),
        };
      } catch (error) {
        if (error instanceof MergedTooLarge) return plainFailure('OUTPUT_TOO_LARGE');
        throw error;
      }
    },

    failure: (reason) => plainFailure(reason === 'cancelled' ? 'EXPORT_CANCELLED' : 'EXPORT_FAILED'),
    announce: announceExport,
  };
}

/** Records when the documents of a job were issued, and by which project. */
function recordIssued(
  tx: Tx,
  { clock, verifySeconds }: BulkfillKindParts,
  { account_id: accountId }: JobRecord,
  { name }: ExportInput,
  ids: readonly string[],
): Promise<void> {
  const issuedAt = clock.now();
  const expiresAt = new Date(issuedAt.getTime() + verifySeconds * 1000);
  return insertVerifyIds(tx, { ids, accountId, projectName: name ?? null, issuedAt, expiresAt });
}

/** The result of a slice whose job has stored more than its limit. */
const NOTHING_DRAWN = { result: { blob: '', tailsLength: 0, length: 0, failed: [] }, rowsFailed: 0 };

function plainFailure(code: 'OUTPUT_TOO_LARGE' | 'EXPORT_CANCELLED' | 'EXPORT_FAILED'): FailedOutcome {
  return { state: 'failed', error: { code, message: `${bulkfillErrors.codes[code].title}.` } };
}
