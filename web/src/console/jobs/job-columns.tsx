import type { Job } from '#console/contract/jobs.ts';
import { Cell, type Column } from '../parts/data-table.tsx';
import { formatDuration, shortenId } from '../parts/format.ts';
import { RowLink } from '../parts/row-link.tsx';
import { Time } from '../parts/time.tsx';
import { kindName } from './job.ts';
import { JobProgress } from './job-progress.tsx';
import { StateBadge } from './state-badge.tsx';

/** How long a settled job ran; an open job shows its progress instead. */
function worked({ started_at, settled_at }: Job): string {
  if (started_at === null || settled_at === null) return '–';
  return formatDuration(Date.parse(settled_at) - Date.parse(started_at));
}

export const jobColumns: readonly Column<Job>[] = [
  {
    title: 'Job',
    cell: (job) => (
      <Cell
        main={<RowLink to={`/console/jobs/${job.id}`}>{kindName(job.kind)}</RowLink>}
        sub={<code title={job.public_id}>{shortenId(job.public_id)}</code>}
      />
    ),
  },
  { title: 'State', cell: (job) => <StateBadge job={job} /> },
  { title: 'Rows', grow: true, cell: (job) => <JobProgress job={job} /> },
  { title: 'Account', cell: ({ account }) => account },
  { title: 'Duration', align: 'end', cell: worked },
  { title: 'Created', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
];
