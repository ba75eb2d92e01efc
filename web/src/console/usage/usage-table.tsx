import type { DayUsage } from '#console/contract/usage.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatCount } from '../parts/format.ts';
import styles from './usage-table.module.css';

const columns: readonly Column<DayUsage>[] = [
  { title: 'Day', grow: true, cell: ({ date }) => date },
  { title: 'Jobs', align: 'end', cell: ({ jobs }) => formatCount(jobs) },
  { title: 'Rows', align: 'end', cell: ({ rows }) => formatCount(rows) },
  { title: 'Failed rows', align: 'end', cell: ({ failed_rows }) => formatCount(failed_rows) },
];

/** The same numbers as the charts, for reading and copying. */
export function UsageTable({ days }: { days: readonly DayUsage[] }) {
  return (
    <details className={styles.details}>
      <summary>Show as table</summary>
      <DataTable
        label="Usage by day"
        columns={columns}
        rows={days.toReversed()}
        rowKey={({ date }) => date}
      />
    </details>
  );
}
