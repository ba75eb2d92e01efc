import type { Clock } from '#lib/clock.ts';
import type { Db } from '#storage/database.ts';
import { listAllCustomFields } from '#storage/subscribers/custom-fields.ts';
import { streamSubscribers } from '#storage/subscribers/people.ts';
import { exportCells, exportHeaders } from '../export/encode-people.ts';
import type { Status } from '../people/status.ts';

/** Selects the people that a job of another surface uses as its rows. */
export interface RowSelection {
  readonly query?: string;
  readonly status?: Status;
  readonly coldOnly?: boolean;
  readonly tagIds?: readonly string[];
}

export interface SelectedRows {
  /** Column names in the order of an export; cells are `column_0`, `column_1`, … by position. */
  readonly columns: readonly string[];
  /** Batches of rows with one text per column; blank is the empty text. */
  readonly rows: AsyncIterable<readonly (readonly string[])[]>;
}

/** Port for `rows_from`: a selection of subscribers as rows. */
export type SelectRows = (accountId: string, selection: RowSelection) => Promise<SelectedRows>;

export function createSelectRows({ db, clock }: { readonly db: Db; readonly clock: Clock }): SelectRows {
  return async (accountId, selection) => {
    const fields = await listAllCustomFields(db, accountId);
    const people = streamSubscribers(db, accountId, selection, clock.now());
    const rows = (async function* () {
      for await (const batch of people) yield batch.map((person) => exportCells(person, fields));
    })();
    return { columns: exportHeaders(fields), rows };
  };
}
