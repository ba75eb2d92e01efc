import type { OperatorAction } from '#console/contract/audit.ts';
import type { Page } from '#console/contract/list.ts';
import { callJson } from '../../api/operator-client.ts';
import { EmptyState } from '../../ui/badge.tsx';
import type { Column } from '../parts/data-table.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Time } from '../parts/time.tsx';
import { usePages } from '../parts/use-pages.ts';
import { actionWords } from './operator.ts';

const columns: readonly Column<OperatorAction>[] = [
  {
    title: 'Action',
    cell: ({ operator, action }) => (
      <>
        <strong>{operator.name}</strong> {actionWords(action)}
      </>
    ),
  },
  {
    title: 'Target',
    grow: true,
    cell: ({ target }) => target && <code title={target}>{target}</code>,
  },
  { title: 'Account', cell: ({ account }) => account ?? '–' },
  { title: 'When', align: 'end', cell: ({ at }) => <Time at={at} /> },
];

export function AuditList() {
  const pages = usePages<OperatorAction>('audit', (cursor, signal) =>
    callJson<Page<OperatorAction>>('/audit', { query: { cursor, limit: 25 }, signal }),
  );
  return (
    <PagedTable
      label="Audit log"
      pages={pages}
      columns={columns}
      rowKey={({ id }) => id}
      empty={<EmptyState title="No entries yet" />}
    />
  );
}
