import type { SliceDone, SliceRun } from '#engine/job-kind.ts';
import type { Slice } from '#lib/records/slice.ts';
import type { Tx } from '#storage/database.ts';
import {
  addImportCounts,
  asDryRun,
  findNewTag,
  findSuperseded,
  lockAccountImports,
} from '#storage/subscribers/imports.ts';
import {
  type Merge,
  type Merged,
  mergeSubscribers,
  type SubscriberColumns,
} from '#storage/subscribers/write-people.ts';
import { type CsvRow, readSliceText, rowsOf } from '../csv/read-slice.ts';
import type { SubscribersKindParts } from '../parts.ts';
import { type FailedRow, failedRowLine } from './failed-rows.ts';
import type { ImportInput, ImportResult, ImportSlice } from './import-input.ts';
import { isSuperseded, LastRows } from './last-rows.ts';
import { byStatus, mergeColumns } from './merge-columns.ts';
import { type ImportRow, type RowPlan, readRow } from './row-plan.ts';
import { beginImport } from './run-first-pass.ts';

type Run = SliceRun<ImportInput, ImportSlice>;

interface JudgedRows {
  readonly rows: readonly ImportRow[];
  readonly superseded: number;
  readonly failed: readonly FailedRow[];
}

/**
 * Runs one slice of rows. Reads, validates and sorts outside any transaction, then merges in the transaction that
 * finishes the slice, so that its rows are imported and counted exactly once.
 */
export async function runRows(
  parts: SubscribersKindParts,
  run: Run,
  at: Slice,
  alone: boolean,
): Promise<SliceDone<ImportResult>> {
  const { rows, superseded, failed } = await judge(parts, run, at, alone);
  const groups = byStatus(rows).map((group) => mergeColumns(group, parts.ids));
  const report = failed.length === 0 ? undefined : await storeFailed(parts, run, failed);
  // The row objects become unreachable here. During the merge only their columns are in memory.
  const valid = rows.length;
  const write = async (tx: Tx) => {
    if (alone) await beginImport(parts, tx, run, null);
    await lockAccountImports(tx, run.accountId);
    const { dryRun, sequenceIds } = run.input;
    const tagIds = await tagsOf(tx, run);
    const now = parts.clock.now();
    const merge = () => mergeAll(tx, groups, { accountId: run.accountId, tagIds, sequenceIds, now });
    const { created, updated } = dryRun ? await asDryRun(tx, merge) : await merge();
    const unchanged = valid - created - updated + superseded;
    await addImportCounts(tx, run.jobId, { created, updated, unchanged });
  };
  return {
    result: report === undefined ? {} : { failed: report },
    rowsFailed: failed.length,
    ...(report !== undefined && { blobs: [report.digest] }),
    write,
  };
}

async function judge(parts: SubscribersKindParts, run: Run, at: Slice, alone: boolean): Promise<JudgedRows> {
  const { plan, source } = run.input;
  const text = await readSliceText(parts.blobs, source, at);
  const each = () => rowsOf(text, source.separator, at);
  // The stored bits are read in whole bytes.
  const first = at.firstRow - 1;
  const firstBit = first - (first % 8);
  const bits = alone
    ? supersededAmong(each(), plan, at.rows)
    : await findSuperseded(parts.db, run.jobId, firstBit, first - firstBit + at.rows);
  const rows: ImportRow[] = [];
  const failed: FailedRow[] = [];
  let superseded = 0;
  for (const row of each()) {
    const verdict = readRow(plan, row.cells);
    if (!verdict.ok) failed.push({ row, problem: verdict.problem });
    else if (bits !== undefined && isSuperseded(bits, row.index - firstBit)) superseded += 1;
    else rows.push(verdict.row);
  }
  return { rows, superseded, failed };
}

/** A file of one slice needs no separate pass. */
function supersededAmong(rows: Iterable<CsvRow>, plan: RowPlan, count: number): Uint8Array {
  const last = new LastRows(count);
  for (const { index, cells } of rows) {
    const verdict = readRow(plan, cells);
    if (verdict.ok) last.note(verdict.row.key, index);
  }
  return last.superseded;
}

async function storeFailed(
  parts: SubscribersKindParts,
  { accountId, input }: Run,
  failed: readonly FailedRow[],
) {
  const { headers } = input.source;
  const { digest, size } = await parts.blobs.put(
    accountId,
    (async function* () {
      for (const row of failed) yield Buffer.from(failedRowLine(headers, row));
    })(),
  );
  return { digest, bytes: size };
}

async function tagsOf(tx: Tx, { input, jobId }: Run): Promise<string[]> {
  const newTag = input.newTagName === undefined ? undefined : await findNewTag(tx, jobId);
  return [...new Set([...input.tagIds, ...(newTag === undefined ? [] : [newTag])])];
}

async function mergeAll(
  tx: Tx,
  groups: readonly SubscriberColumns[],
  merge: Omit<Merge, 'columns'>,
): Promise<Merged> {
  let created = 0;
  let updated = 0;
  for (const columns of groups) {
    const merged = await mergeSubscribers(tx, { ...merge, columns });
    created += merged.created;
    updated += merged.updated;
  }
  return { created, updated };
}
