import type { ReactNode, Ref } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly title: string;
  /** The heading is for screen readers only, for columns of buttons and checkboxes. */
  readonly hideTitle?: boolean;
  readonly align?: 'end';
  /** The column takes the remaining width and truncates its text. */
  readonly grow?: boolean;
  cell(row: Row): ReactNode;
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  rowKey(row: Row): string;
  readonly ref?: Ref<HTMLTableElement>;
}

/**
 * A semantic table, so that users can read, search and copy it as one. The first named cell of a row is the row's header,
 * which screen readers announce before its other cells. If there is no room for all columns (on a phone, or at 200 %),
 * each row is a card: that cell is its title, and the others follow below their names.
 */
export function DataTable<Row>({ label, columns, rows, rowKey, ref }: Props<Row>) {
  const first = columns.find(({ hideTitle }) => !hideTitle);
  const classOf = (column: Column<Row>) =>
    [
      column.align === 'end' && styles.end,
      column.grow && styles.grow,
      column === first && styles.first,
      column.hideTitle && styles.untitled,
    ]
      .filter(Boolean)
      .join(' ');
  return (
    <div className={styles.frame}>
      <table ref={ref} className={styles.table}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.hideTitle ? <span className="visually-hidden">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) =>
                column === first ? (
                  <th key={column.title} scope="row" className={classOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td
                    key={column.title}
                    className={classOf(column)}
                    data-name={column.hideTitle ? undefined : column.title}
                  >
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Two lines in one cell: a main line and a secondary one. */
export function Cell({ main, sub }: { main: ReactNode; sub?: ReactNode }) {
  return (
    <>
      <span className={styles.main}>{main}</span>
      {sub !== undefined && <span className={styles.sub}>{sub}</span>}
    </>
  );
}
