import type { Plan } from '#console/contract/accounts.ts';
import { Badge } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatBytes, formatCount } from '../parts/format.ts';

const columns: readonly Column<Plan>[] = [
  {
    title: 'Plan',
    grow: true,
    cell: (plan) => (
      <>
        {plan.name} {plan.default && <Badge>for new accounts</Badge>}
      </>
    ),
  },
  {
    title: 'Rows per month',
    align: 'end',
    cell: ({ rows_per_month: rows }) => (rows === null ? 'no limit' : formatCount(rows)),
  },
  {
    title: 'Largest PDF',
    align: 'end',
    cell: ({ max_pdf_bytes: bytes }) => (bytes === null ? 'limit of the server' : formatBytes(bytes)),
  },
  {
    title: 'Stored files',
    align: 'end',
    cell: ({ max_stored_bytes: bytes }) => (bytes === null ? 'no limit' : formatBytes(bytes)),
  },
];

/** A read-only list of plans, which are part of the configuration (ROWPRESS_PLANS). */
export function PlanTable({ plans }: { plans: readonly Plan[] }) {
  return <DataTable label="Plans" columns={columns} rows={plans} rowKey={({ name }) => name} />;
}
