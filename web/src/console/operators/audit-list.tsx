import { Download } from 'lucide-react';
import type { OperatorAction } from '#console/contract/audit.ts';
import type { Page } from '#console/contract/list.ts';
import type { Operator } from '#console/contract/operators.ts';
import { callJson, operatorUrl } from '../../api/operator-client.ts';
import { Link } from '../../shell/link.tsx';
import { EmptyState } from '../../ui/badge.tsx';
import type { Column } from '../parts/data-table.tsx';
import { ChoiceFilter, Filters } from '../parts/filters.tsx';
import { shortenId } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Time } from '../parts/time.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useQuery } from '../parts/use-query.ts';
import { ACTION_CHOICES, auditQuery, SINCE_CHOICES } from './audit-filter.ts';
import { actionWords } from './operator.ts';
import styles from './operators-screen.module.css';
import { useAccess } from './use-access.ts';

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

/** The audit log with its filters and downloads. */
export function AuditLog() {
  const [filter, setFilter] = useQuery(['person', 'action', 'since']);
  const people = useAccess<Operator>('/operators');
  const pages = usePages<OperatorAction>(`audit ${JSON.stringify(filter)}`, (cursor, signal) =>
    callJson<Page<OperatorAction>>('/audit', {
      query: { ...auditQuery(filter, Date.now()), cursor, limit: 25 },
      signal,
    }),
  );
  const filtered = Object.values(filter).some((value) => value !== '');
  return (
    <Section
      title="Audit log"
      aside={
        <span className={styles.exports}>
          <Export
            href={operatorUrl('/audit/export', { format: 'csv', ...auditQuery(filter, Date.now()) })}
            name={filtered ? 'Download filtered CSV' : 'Download CSV'}
          />
          <Export href={operatorUrl('/audit/export')} name="Download audit log" />
        </span>
      }
    >
      <Filters>
        <ChoiceFilter
          label="Person"
          all="All people"
          value={filter.person}
          choices={(people.items ?? []).map(({ id, name }) => ({ value: id, name }))}
          onChoose={(value) => setFilter('person', value)}
        />
        <ChoiceFilter
          label="Action"
          all="All actions"
          value={filter.action}
          choices={ACTION_CHOICES}
          onChoose={(value) => setFilter('action', value)}
        />
        <ChoiceFilter
          label="Time"
          all="Any time"
          value={filter.since}
          choices={SINCE_CHOICES}
          onChoose={(value) => setFilter('since', value)}
        />
      </Filters>
      <PagedTable
        label="Audit log"
        pages={pages}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          filtered ? (
            <EmptyState title="No entries match these filters">Clear a filter to see more.</EmptyState>
          ) : (
            <EmptyState title="No entries yet" />
          )
        }
      />
    </Section>
  );
}

function Export({ href, name }: { href: string; name: string }) {
  return (
    <a className={styles.export} href={href} download>
      <Download size={15} aria-hidden="true" />
      {name}
    </a>
  );
}
