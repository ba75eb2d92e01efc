import type { Job } from '#console/contract/jobs.ts';
import type { Page as ListPage } from '#console/contract/list.ts';
import { callJson } from '../../api/operator-client.ts';
import { AccountFilter, ChoiceFilter, Filters } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { SURFACE_CHOICES } from '../parts/surfaces.ts';
import { TextFilter } from '../parts/text-filter.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useQuery } from '../parts/use-query.ts';
import { mergeJob } from './job.ts';
import { jobColumns } from './job-columns.tsx';
import { JobsEmpty, SEARCH_HELP } from './jobs-empty.tsx';
import { LiveMark } from './live-mark.tsx';
import { useLiveJobs } from './use-live-jobs.ts';

const STATES = [
  { value: 'queued', name: 'Queued' },
  { value: 'processing', name: 'Processing' },
  { value: 'completed', name: 'Completed' },
  { value: 'failed', name: 'Failed' },
];

/** Jobs of all surfaces and accounts, newest first, updated live. */
export function JobsScreen() {
  const [filter, setFilter] = useQuery(['surface', 'state', 'account', 'q']);
  const pages = usePages<Job>(JSON.stringify(filter), (cursor, signal) =>
    callJson<ListPage<Job>>('/jobs', { query: { ...filter, cursor, limit: 50 }, signal }),
  );
  const line = useLiveJobs((job) => pages.change((jobs) => mergeJob(jobs, job, filter)));
  const filtered = Object.values(filter).some((value) => value !== '');
  return (
    <Page title="Jobs" lead="All accepted jobs, from every surface." actions={<LiveMark line={line} />}>
      <Filters>
        <ChoiceFilter
          label="Surface"
          all="All surfaces"
          value={filter.surface}
          choices={SURFACE_CHOICES}
          onChoose={(value) => setFilter('surface', value)}
        />
        <ChoiceFilter
          label="State"
          all="All states"
          value={filter.state}
          choices={STATES}
          onChoose={(value) => setFilter('state', value)}
        />
        <AccountFilter value={filter.account} onChoose={(value) => setFilter('account', value)} />
        <TextFilter
          label="Job id, request, key or error"
          help={SEARCH_HELP}
          value={filter.q}
          onChange={(value) => setFilter('q', value)}
        />
      </Filters>
      <PagedTable
        label="Jobs"
        pages={pages}
        columns={jobColumns}
        rowKey={({ id }) => id}
        empty={<JobsEmpty filtered={filtered} searched={filter.q !== ''} />}
      />
    </Page>
  );
}
