import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly title: string;
  /** The heading is only said: for columns of buttons and boxes. */
  readonly hideTitle?: boolean;
  readonly align?: 'end';
  /** Takes the room that is left and cuts its text. */
  readonly grow?: boolean;
  /** Left out on small screens. */
  readonly extra?: boolean;
  cell(row: Row): ReactNode;
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  rowKey(row: Row): string;
}

/** A plain table: real rows and headings, so that it can be read, searched and copied as one. */
export function DataTable<Row>({ label, columns, rows, rowKey }: Props<Row>) {
  const classOf = ({ align, grow, extra }: Column<Row>) =>
    [align === 'end' && styles.end, grow && styles.grow, extra && styles.extra].filter(Boolean).join(' ');
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
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
              {columns.map((column) => (
                <td key={column.title} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Two lines in one cell: what it is, and the small print. */
export function Cell({ main, sub }: { main: ReactNode; sub?: ReactNode }) {
  return (
    <>
      <span className={styles.main}>{main}</span>
      {sub !== undefined && <span className={styles.sub}>{sub}</span>}
    </>
  );
}
