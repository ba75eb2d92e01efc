import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type Column, DataTable } from './data-table.tsx';
import styles from './paged-table.module.css';
import { Refusal } from './refusal.tsx';
import type { Pages } from './use-pages.ts';

/** A list from the server: waiting, refused, empty (which teaches), or a table with more to load. */
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
  return (
    <>
      {error !== undefined && (
        <Refusal title={`${label} could not be read`} error={error} onRetry={pages.reload} />
      )}
      {items === undefined && error === undefined && <Waiting />}
      {items?.length === 0 && <div className={styles.empty}>{empty}</div>}
      {items !== undefined && items.length > 0 && (
        <DataTable label={label} columns={columns} rows={items} rowKey={rowKey} />
      )}
      {pages.hasMore && (
        <Button className={styles.more} disabled={pages.loadingMore} onClick={pages.more}>
          {pages.loadingMore ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </>
  );
}
