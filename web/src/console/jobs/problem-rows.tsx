import type { Job, ProblemRow } from '#console/contract/jobs.ts';
import type { Page } from '#console/contract/list.ts';
import { callJson } from '../../api/operator-client.ts';
import { Badge, EmptyState } from '../../ui/badge.tsx';
import type { Column } from '../parts/data-table.tsx';
import { formatCount } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { usePages } from '../parts/use-pages.ts';

const columns: readonly Column<ProblemRow>[] = [
  { title: 'Row', align: 'end', cell: ({ row_number }) => formatCount(row_number) },
  {
    title: 'Status',
    cell: ({ status }) => (
      <Badge tone={/fail|reject/i.test(status) ? 'bad' : 'warn'}>{status.toLowerCase()}</Badge>
    ),
  },
  {
    title: 'Column',
    cell: ({ column, column_label: label }) => {
      if (label) return label;
      return column ? <code>{column}</code> : '–';
    },
  },
  { title: 'Field', cell: ({ field }) => (field === null ? '–' : <code>{field}</code>) },
  { title: 'Code', cell: ({ code }) => <code>{code}</code> },
  { title: 'Problem', grow: true, cell: ({ message }) => <span title={message}>{message}</span> },
];

/** Rows that failed, lost a field or have a note. */
export function ProblemRows({ job }: { job: Job }) {
  const pages = usePages<ProblemRow>(`${job.id} ${job.state}`, (cursor, signal) =>
    callJson<Page<ProblemRow>>(`/jobs/${job.id}/problem-rows`, { query: { cursor, limit: 50 }, signal }),
  );
  return (
    <Section title="Rows with problems">
      <PagedTable
        label="Rows with problems"
        pages={pages}
        columns={columns}
        rowKey={(row) => `${row.row_number} ${row.code} ${row.field ?? ''}`}
        empty={<EmptyState title="No problem rows" />}
      />
    </Section>
  );
}
