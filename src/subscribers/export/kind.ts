import type { FinishedWork, JobKind, JobOutcome, SliceDone, SliceRun } from '#engine/job-kind.ts';
import { listAllCustomFields } from '#storage/subscribers/custom-fields.ts';
import { streamSubscribers } from '#storage/subscribers/people.ts';
import type { SubscribersKindParts } from '../parts.ts';
import { announceJob } from '../webhooks/announce.ts';
import { encodePeople } from './encode-people.ts';
import type { ExportInput, ExportOutcome, ExportResult } from './export-input.ts';
import { showExportSummary } from './views.ts';

export const EXPORT_KIND = 'subscribers.export';

const EXPORT_MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

/** The job kind of exports. An export is one slice, because one reader must read its snapshot. */
export function exportKind(parts: SubscribersKindParts): JobKind<ExportInput, null, ExportResult> {
  return {
    name: EXPORT_KIND,
    plan: () => ({ slices: [{ input: null, rows: 0 }] }),
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
  run: SliceRun<ExportInput, null>,
): Promise<SliceDone<ExportResult>> {
  const { selection, format } = run.input;
  const wanted = {
    query: selection.query ?? undefined,
    status: selection.status ?? undefined,
    coldOnly: selection.coldOnly,
  };
  const fields = await listAllCustomFields(parts.db, run.accountId);
  let count = 0;
  const people = streamSubscribers(parts.db, run.accountId, wanted, parts.clock.now());
  const bytes = encodePeople(format, people, fields, (more) => {
    run.signal.throwIfAborted();
    count += more;
  });
  const { digest, size } = await parts.blobs.put(run.accountId, bytes);
  return { result: { digest, bytes: size, count }, rowsFailed: 0, blobs: [digest] };
}

async function finishExport(
  { blobs, settings }: SubscribersKindParts,
  { input, slices }: FinishedWork<ExportInput, ExportResult>,
): Promise<JobOutcome> {
  const made = slices[0]?.result;
  if (made === undefined) throw new Error('bug: an export finished without its slice');
  const [etag = made.digest] = await blobs.contentDigests([made.digest]);
  const outcome: ExportOutcome = {
    count: made.count,
    fileName: `subscribers-${input.day}.${input.format}`,
  };
  return {
    state: 'completed',
    outcome,
    artifact: {
      mediaType: EXPORT_MEDIA_TYPES[input.format],
      sizeBytes: made.bytes,
      etag,
      parts: { blobs: [made.digest] },
      blobs: [made.digest],
      deliverySeconds: settings.exportLinkSeconds,
    },
  };
}
