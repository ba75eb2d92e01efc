import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GroupIndex } from '#fill/node/groups/group-index.ts';
import { groupLines } from '#fill/node/groups/group-lines.ts';
import { splitRowLines } from '#fill/node/threads/row-lines.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';
import { normalisedRow } from '#lib/rows/rows-digest.ts';
import { RowsRefused } from '#lib/rows/rows-refused.ts';
import { CliRefusal } from './cli-refusal.ts';
import type { RowFile } from './row-file.ts';

/** Groups that are decoded at once. */
const BATCH = 64;

/**
 * The rows of a file as groups, by the values of these columns. The rows of a group may be anywhere in the file, so all rows are
 * written to a temporary file first, which has no name and vanishes with the process.
 */
export async function groupedRows(rows: RowFile, columns: readonly string[]): Promise<RowFile> {
  const directory = await mkdtemp(path.join(tmpdir(), 'rowpress-'));
  const file = await open(path.join(directory, 'rows'), 'w+', 0o600);
  await rm(directory, { recursive: true });
  const index = new GroupIndex(columns);
  try {
    for await (const batch of rows.batches()) {
      const lines = batch.map((cells) => Buffer.from(`${normalisedRow(cells)}\n`));
      for (const [n, cells] of batch.entries()) index.add(cells, lines[n]?.length ?? 0);
      await file.appendFile(Buffer.concat(lines));
    }
  } catch (error) {
    if (error instanceof RowsRefused) throw new CliRefusal(error.code, error.message);
    throw error;
  }
  return {
    ...rows,
    count: index.count,
    inputCount: rows.count,
    batches: () => batchesOf(groupLines(file.fd, index)),
  };
}

function* batchesOf(groups: Iterable<Uint8Array>): Generator<readonly RowCells[]> {
  let batch: RowCells[] = [];
  for (const group of groups) {
    batch.push(...splitRowLines(group));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
