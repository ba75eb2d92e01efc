import type { Ids } from '#lib/ids.ts';
import type { SubscriberColumns } from '#storage/subscribers/write-people.ts';
import type { ImportRow } from './row-plan.ts';

/** Rows as columns for one merge statement, sorted by key. An unused column stays empty, which costs nothing on the wire. */
export function mergeColumns(rows: readonly ImportRow[], ids: Ids): SubscriberColumns {
  const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const column = <T>(used: boolean, read: (row: ImportRow) => T): T[] => (used ? sorted.map(read) : []);
  return {
    ids: sorted.map(() => ids.uuid()),
    emails: sorted.map((row) => row.email),
    keys: sorted.map((row) => row.key),
    names: column(
      sorted.some((row) => row.name !== ''),
      (row) => row.name,
    ),
    countries: column(
      sorted.some((row) => row.country !== undefined),
      (row) => row.country ?? null,
    ),
    fields: column(
      sorted.some((row) => row.fields !== undefined),
      (row) => (row.fields === undefined ? null : JSON.stringify(row.fields)),
    ),
    statuses: column(
      sorted.some((row) => row.status !== undefined),
      (row) => row.status ?? '',
    ),
  };
}

/**
 * Splits the rows by whether they set a status. One merge statement sets the status of all its rows or of none: an
 * inserted person needs a default, which a stored person must not receive.
 */
export function byStatus(rows: readonly ImportRow[]): (readonly ImportRow[])[] {
  const said = rows.filter((row) => row.status !== undefined);
  const silent = said.length === 0 ? rows : rows.filter((row) => row.status === undefined);
  return [silent, said].filter((part) => part.length > 0);
}
