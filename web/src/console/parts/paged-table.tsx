import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { standOn } from '../../ui/keep-focus.ts';
import { say } from '../../ui/messages.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { formatMany } from './format.ts';
import styles from './paged-table.module.css';
import { Refusal } from './refusal.tsx';
import type { Pages } from './use-pages.ts';

/** A list from the server: a spinner, an error, an empty state, or a table with a button for more. */
export function PagedTable<Row>({
  label,
  pages,
  columns,
  rowKey,
  empty,
}: {
  label: string;
  pages: Pages<Row>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  empty: ReactNode;
}) {
  const { items, error } = pages;
  const table = useRef<HTMLTableElement>(null);
  const shownBefore = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (shownBefore.current === undefined || items === undefined || items.length <= shownBefore.current)
      return;
    // The focus moves to the first new row.
    standOn(table.current?.tBodies[0]?.rows[shownBefore.current] ?? null);
    shownBefore.current = undefined;
  }, [items]);
  useSaidCount(label, items?.length);
  const more = () => {
    shownBefore.current = items?.length;
    pages.more();
  };
  return (
    <>
      {error !== undefined && (
        <Refusal title={`${label} could not be loaded`} error={error} onRetry={pages.reload} />
      )}
      {items === undefined && error === undefined && <Waiting />}
      {items?.length === 0 && <div className={styles.empty}>{empty}</div>}
      {items !== undefined && items.length > 0 && (
        <DataTable ref={table} label={label} columns={columns} rows={items} rowKey={rowKey} />
      )}
      {pages.hasMore && (
        <Button className={styles.more} resting={pages.loadingMore} onClick={more}>
          {pages.loadingMore ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </>
  );
}

/** Announces the number of rows after a filter changed, because the focus is elsewhere. Not on the first load, nor for live updates. */
function useSaidCount(label: string, count: number | undefined): void {
  const last = useRef<'none' | 'waiting' | 'shown'>('none');
  useEffect(() => {
    if (count === undefined) last.current = last.current === 'none' ? 'none' : 'waiting';
    else {
      if (last.current === 'waiting')
        say(`${label}: ${count === 0 ? 'no results' : formatMany(count, 'row')}`);
      last.current = 'shown';
    }
  }, [label, count]);
}
