import type { History } from '#ingest/contract.ts';
import { Badge, EmptyState, type Tone } from '../../ui/badge.tsx';
import { Cell, type Column } from '../parts/data-table.tsx';
import { Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Time } from '../parts/time.tsx';
import { usePages } from '../parts/use-pages.ts';
import { callIngest, type Partner } from './ingest-call.ts';
import { type Change, changedMembers } from './item.ts';

const TONES: Readonly<Record<Change['change'], Tone>> = {
  CREATED: 'good',
  UPDATED: 'accent',
  TOMBSTONED: 'neutral',
  REACTIVATED: 'good',
};

function whatChanged(change: Change): string {
  if (change.archived) return 'no longer stored';
  const members = changedMembers(change);
  return members.length === 0 ? '–' : members.join(', ');
}

const columns: readonly Column<Change>[] = [
  { title: 'Change', cell: ({ change }) => <Badge tone={TONES[change]}>{change.toLowerCase()}</Badge> },
  { title: 'Version', align: 'end', cell: ({ source_version }) => source_version ?? '–' },
  {
    title: 'What',
    grow: true,
    cell: (change) => <span title={whatChanged(change)}>{whatChanged(change)}</span>,
  },
  {
    title: 'Request',
    cell: ({ correlation_id }) => <Cell main={<code>{correlation_id}</code>} />,
  },
  { title: 'When', align: 'end', cell: ({ changed_at }) => <Time at={changed_at} /> },
];

export function ItemHistory({ of, path }: { of: Partner; path: string }) {
  const pages = usePages<Change>(path, async (cursor, signal) => {
    const list = await callIngest<History>(of, `${path}/history`, {
      query: { cursor, limit: 50 },
      signal,
    });
    return { items: list.data, next_cursor: list.next_cursor };
  });
  return (
    <Section title="History">
      <PagedTable
        label="History, newest first"
        pages={pages}
        columns={columns}
        rowKey={({ number }) => String(number)}
        empty={<EmptyState title="No changes" />}
      />
    </Section>
  );
}
