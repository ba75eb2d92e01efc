import type { OperatorAction } from '#console/contract/audit.ts';
import type { Page } from '#console/contract/list.ts';
import { callJson } from '../../api/operator-client.ts';
import { Link } from '../../shell/link.tsx';
import { EmptyState } from '../../ui/badge.tsx';
import type { Column } from '../parts/data-table.tsx';
import { shortenId } from '../parts/format.ts';
import { PagedTable } from '../parts/paged-table.tsx';
import { Time } from '../parts/time.tsx';
import { usePages } from '../parts/use-pages.ts';
import { actionWords } from './operator.ts';

const LINK_NAMES = {
  account: 'Account',
  key: 'Key',
  job: 'Job',
  delivery: 'Webhook',
  operator: 'Operator',
} as const;

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
    cell: ({ target, link }) =>
      link === null ? (
        target && <code title={target}>{target}</code>
      ) : (
        <Link to={link.path} title={link.name}>
          {link.kind === 'job' || link.kind === 'delivery' ? (
            <>
              {LINK_NAMES[link.kind]} <code>{shortenId(link.name)}</code>
            </>
          ) : (
            `${LINK_NAMES[link.kind]} ${link.name}`
          )}
        </Link>
      ),
  },
  {
    title: 'Account',
    cell: ({ account }) =>
      account === null ? (
        '–'
      ) : (
        <Link to={`/console/accounts?${new URLSearchParams({ account })}`}>{account}</Link>
      ),
  },
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
