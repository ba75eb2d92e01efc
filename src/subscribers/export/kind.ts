import { createHash } from 'node:crypto';
import type { Blobs } from '#engine/blobs.ts';
import type { FinishedWork, JobKind, JobOutcome, SliceDone, SliceRun } from '#engine/job-kind.ts';
import { listAllCustomFields } from '#storage/subscribers/custom-fields.ts';
import { type SubscriberRange, streamSubscribers } from '#storage/subscribers/people.ts';
import type { SubscribersKindParts } from '../parts.ts';
import { announceJob } from '../webhooks/announce.ts';
import { encodePeople, encodeStart } from './encode-people.ts';
import type { ExportInput, ExportOutcome, ExportResult, UnslicedExportInput } from './export-input.ts';
import { showExportSummary } from './views.ts';

export const EXPORT_KIND = 'subscribers.export';

const EXPORT_MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

/**
 * The job kind of exports. A slice is a range of subscribers by key, and each is read as of one moment. The slices run in
 * the order of the file: somebody who is deleted and added again meanwhile belongs to a range that was read before, so no
 * address is in the file twice.
 */
export function exportKind(parts: SubscribersKindParts): JobKind<ExportInput, SubscriberRange, ExportResult> {
  return {
    name: EXPORT_KIND,
    plan: ({ slices }) => ({ slices: slices.map((slice) => ({ input: slice, rows: 0 })), ordered: true }),
    runSlice: (run) => runExport(parts, run),
    finish: (work) => finishExport(parts, work),
    failure: (reason) => ({
      state: 'failed',
      error:
        reason === 'cancelled'
          ? { code: 'export_cancelled', message: 'The export was cancelled.' }
          : { code: 'export_failed', message: 'The export failed.' },
    }),
    announce: (settled, tx) =>
      announceJob(parts, tx, 'export', settled, () => showExportSummary(settled.job)),
  };
}

async function runExport(
  parts: SubscribersKindParts,
  run: SliceRun<ExportInput | UnslicedExportInput, SubscriberRange | null>,
): Promise<SliceDone<ExportResult>> {
  const { selection, format } = run.input;
  const { fields, at } =
    'day' in run.input
      ? { fields: await listAllCustomFields(parts.db, run.accountId), at: parts.clock.now() }
      : run.input;
  const wanted = {
    query: selection.query ?? undefined,
    status: selection.status ?? undefined,
    coldOnly: selection.coldOnly,
  };
  let count = 0;
  const people = streamSubscribers(parts.db, run.accountId, wanted, new Date(at), run.slice ?? {});
  const bytes = async function* () {
    if (run.n === 0) yield* encodeStart(format, fields);
    yield* encodePeople(format, people, fields, (more) => {
      run.signal.throwIfAborted();
      count += more;
    });
  };
  const { digest, size } = await parts.blobs.put(run.accountId, bytes());
  return { result: { digest, bytes: size, count }, rowsFailed: 0, blobs: [digest] };
}

async function finishExport(
  { blobs, settings }: SubscribersKindParts,
  { input, slices }: FinishedWork<ExportInput | UnslicedExportInput, ExportResult>,
): Promise<JobOutcome> {
  const made = slices.map(({ n, result }) => {
    if (result === undefined) throw new Error(`bug: an export finished without its slice ${n}`);
    return result;
  });
  const day = 'day' in input ? input.day : input.at.slice(0, 10);
  const digests = made.map(({ digest }) => digest);
  const outcome: ExportOutcome = {
    count: made.reduce((sum, { count }) => sum + count, 0),
    fileName: `subscribers-${day}.${input.format}`,
  };
  return {
    state: 'completed',
    outcome,
    artifact: {
      mediaType: EXPORT_MEDIA_TYPES[input.format],
      sizeBytes: made.reduce((sum, { bytes }) => sum + bytes, 0),
      etag: await sha256Of(blobs, digests),
      parts: { blobs: digests },
      blobs: digests,
      deliverySeconds: settings.exportLinkSeconds,
    },
  };
}

/** The SHA-256 of the file, which clients compare with what they received. */
async function sha256Of(blobs: Blobs, digests: readonly string[]): Promise<string> {
  const [only] = digests.length === 1 ? await blobs.contentDigests(digests) : [];
  if (only !== undefined) return only;
  const hash = createHash('sha256');
  for (const digest of digests) for await (const chunk of blobs.read(digest)) hash.update(chunk);
  return hash.digest('hex');
}
