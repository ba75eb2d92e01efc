import { csvLine, neutraliseCell } from '#lib/records/csv/safe-cell.ts';
import { type ActionFilter, type ListedAction, listActions } from '#storage/console/audit.ts';
import type { Db } from '#storage/database.ts';

const HEADER = ['number', 'time', 'person', 'action', 'account', 'target', 'details', 'request_id', 'hash'];
const BATCH = 500;

/** Yields the entries as lines of a CSV file, newest first as in the list, read in batches. */
export async function* csvLines(db: Db, filter: ActionFilter): AsyncGenerator<string> {
  yield csvLine(HEADER);
  let before: number | undefined;
  for (;;) {
    const rows = await listActions(db, { ...filter, before, limit: BATCH });
    for (const row of rows.slice(0, BATCH)) yield csvLine(cellsOf(row).map(neutraliseCell));
    if (rows.length <= BATCH) return;
    before = rows[BATCH - 1]?.seq;
  }
}

const cellsOf = (row: ListedAction): string[] => [
  String(row.seq),
  row.at.toISOString(),
  row.operator_name,
  row.action,
  row.account_name ?? '',
  row.target ?? '',
  row.details === null ? '' : JSON.stringify(row.details),
  row.request_id,
  row.hash.toString('hex'),
];
