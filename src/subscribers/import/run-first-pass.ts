import type { SliceDone, SliceRun } from '#engine/job-kind.ts';
import type { Tx } from '#storage/database.ts';
import { storeFirstPass } from '#storage/subscribers/imports.ts';
import { ensureTag } from '#storage/subscribers/tags.ts';
import { readSliceText, rowsOf } from '../csv/read-slice.ts';
import type { SubscribersKindParts } from '../parts.ts';
import type { ImportInput, ImportResult, ImportSlice } from './import-input.ts';
import { LastRows } from './last-rows.ts';
import { readRow } from './row-plan.ts';

type Run = SliceRun<ImportInput, ImportSlice>;

/** Reads every row once. Only an importable row supersedes an earlier one. */
export async function runFirstPass(parts: SubscribersKindParts, run: Run): Promise<SliceDone<ImportResult>> {
  const { source, plan } = run.input;
  const last = new LastRows(source.rows);
  for (const slice of source.slices) {
    run.signal.throwIfAborted();
    const text = await readSliceText(parts.blobs, source, slice);
    for (const { index, cells } of rowsOf(text, source.separator, slice)) {
      const read = readRow(plan, cells);
      if (read.ok) last.note(read.row.key, index);
    }
  }
  const superseded = last.count === 0 ? null : last.superseded;
  return { result: {}, rowsFailed: 0, write: (tx) => beginImport(parts, tx, run, superseded) };
}

/** Inserts the counts row of this import and the tag it creates. Runs once, in its slice's transaction. */
export async function beginImport(
  parts: SubscribersKindParts,
  tx: Tx,
  { jobId, accountId, input }: Run,
  superseded: Uint8Array | null,
): Promise<void> {
  const { newTagName, dryRun } = input;
  const tag = newTagName === undefined || dryRun ? undefined : { id: parts.ids.uuid(), name: newTagName };
  const newTagId = tag === undefined ? null : await ensureTag(tx, accountId, tag, parts.clock.now());
  await storeFirstPass(tx, jobId, superseded, newTagId);
}
