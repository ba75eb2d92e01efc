import type { Health } from '#console/contract/health.ts';
import { Link } from '../../shell/link.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatCount } from '../parts/format.ts';
import { Section } from '../parts/page.tsx';
import { surfaceName } from '../parts/surfaces.ts';
import { failedJobsPath, formatCapped } from './health.ts';

type Failed = Health['failed_jobs'][number];

const columns: readonly Column<Failed>[] = [
  {
    title: 'Surface',
    cell: ({ surface }) => <Link to={failedJobsPath(surface)}>{surfaceName(surface)}</Link>,
  },
  { title: 'Failed', align: 'end', cell: ({ failed }) => formatCapped(failed) },
  {
    title: 'Of the finished jobs',
    align: 'end',
    cell: ({ recent }) => `${formatCount(recent.failed)} of ${formatCount(recent.settled)}`,
  },
  {
    title: 'Errors',
    grow: true,
    cell: ({ surface, codes }) =>
      codes.map(({ code, count }, index) => (
        <span key={code}>
          {index > 0 && ' · '}
          <Link to={failedJobsPath(surface, code)}>
            <code>{code}</code>
          </Link>{' '}
          {formatCapped(count)}
        </span>
      )),
  },
];

/** Failed jobs of the last 24 hours by surface, with links to the filtered list. */
export function FailedJobs({ of }: { of: Health['failed_jobs'] }) {
  if (of.length === 0) return null;
  return (
    <Section title="Failed jobs of the last 24 hours">
      <DataTable label="Failed jobs" columns={columns} rows={of} rowKey={({ surface }) => surface} />
    </Section>
  );
}
