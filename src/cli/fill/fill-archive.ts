import { ArchiveIndex } from '#fill/archive-index.ts';
import type { FillPlan } from '#fill/fill-plan.ts';
import { ManifestEntry } from '#fill/node/manifest-entry.ts';
import type { OpenedFill } from '#fill/node/open-fill.ts';
import { type RunRowsOptions, runRows } from '#fill/node/threads/run-rows.ts';
import type { ManifestHead, ManifestSummary } from '#fill/results/manifest.ts';
import { crossingRow, failuresToAbort, thresholdDetails } from '#fill/results/threshold.ts';
import { entryChunks } from '#fill/zip/entry-chunks.ts';
import { type ZipLastEntry, type ZipManifest, ZipPlan } from '#fill/zip/zip-plan.ts';
import type { Progress } from '../progress.ts';
import { CliRefusal } from './cli-refusal.ts';
import type { Output } from './output-file.ts';
import type { RowFile } from './row-file.ts';
import { WriteBehind } from './write-behind.ts';

/** Writes rows to a ZIP, forward only: entries are written as their slices are filled, the directory last. */
export interface ArchiveRun {
  readonly fill: OpenedFill;
  readonly plan: FillPlan;
  readonly rows: RowFile;
  readonly maxFailedRowPercent: number;
  readonly run: RunRowsOptions;
  readonly head: Omit<ManifestHead, 'rows' | 'summary'>;
  /** The secret key that signs the manifest; absent: it is not signed. */
  readonly sealKey?: Uint8Array | undefined;
}

export interface ArchiveReport {
  readonly summary: ManifestSummary;
  readonly bytes: number;
  readonly failedRows: readonly number[];
  readonly notedRows: readonly number[];
}

const NOTHING_SHARED = { deflated: new Uint8Array(0), base: { bytes: new Uint8Array(0) } };

export async function fillArchive(
  run: ArchiveRun,
  output: Output,
  progress: Progress,
): Promise<ArchiveReport> {
  const index = new ArchiveIndex();
  const manifest = new ManifestEntry();
  const failedRows: number[] = [];
  const notedRows: number[] = [];
  const limit = failuresToAbort(run.rows.count, run.maxFailedRowPercent);
  // Encrypted rows share nothing.
  const shared = run.plan.options.password === undefined ? run.fill : NOTHING_SHARED;
  const prefix = { deflatedLength: shared.deflated.length, plainLength: shared.base.bytes.length };
  const writer = new WriteBehind(output);

  for await (const slice of runRows(run.fill, run.plan, run.rows.batches(), run.run)) {
    index.add(slice);
    await manifest.add(slice.lines);
    failedRows.push(...slice.failedRows);
    notedRows.push(...slice.notedRows);
    if (failedRows.length >= limit)
      throw thresholdExceeded(failedRows, run.rows.count, run.maxFailedRowPercent);
    await writer.add(entryChunks(slice.zipRows, slice.tails, shared.deflated, prefix), slice.tails.length);
    progress.update(index.rows);
  }

  const head = { ...run.head, rows: index.rows, summary: index.summary };
  const entry = await manifest.finish(head);
  const plan = new ZipPlan(prefix, index.zipRows, entry, undefined, await signatureOf(entry, run.sealKey));
  await writer.add(
    [...plan.segments(plan.manifestAt)].flatMap((segment) => (segment.from === 'here' ? segment.bytes : [])),
    0,
  );
  await writer.finish();
  return { summary: index.summary, bytes: plan.size, failedRows, notedRows };
}

/** The entry that signs this manifest, if the run has a key. */
export async function signatureOf(
  manifest: ZipManifest,
  sealKey: Uint8Array | undefined,
): Promise<ZipLastEntry | undefined> {
  if (sealKey === undefined) return undefined;
  const { signatureEntry, signManifest } = await import('#fill/node/sign-manifest.ts');
  return signatureEntry(await signManifest(manifest, sealKey));
}

export function thresholdExceeded(
  failedRows: readonly number[],
  count: number,
  maxFailedRowPercent: number,
): CliRefusal {
  const crossing = crossingRow(failedRows, count, maxFailedRowPercent);
  if (crossing === null) throw new Error('bug: the threshold was not crossed');
  return new CliRefusal(
    'FAILED_ROW_THRESHOLD_EXCEEDED',
    'The export job exceeded max_failed_row_percent and was aborted.',
    thresholdDetails(crossing, count, maxFailedRowPercent),
  );
}
