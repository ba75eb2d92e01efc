import { Ban } from 'lucide-react';
import { useState } from 'react';
import type { Job, JobDetail } from '#console/contract/jobs.ts';
import { callJson } from '../../api/operator-client.ts';
import { May } from '../../shell/may.tsx';
import { Button } from '../../ui/button.tsx';
import { tell } from '../../ui/messages.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Columns, Page } from '../parts/page.tsx';
import { Resource } from '../parts/resource.tsx';
import { BackLink } from '../parts/row-link.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { isOpen, kindName } from './job.ts';
import { JobArtifact } from './job-artifact.tsx';
import { JobDeliveries } from './job-deliveries.tsx';
import { JobFacts } from './job-facts.tsx';
import { JobFiles } from './job-files.tsx';
import { JobOutcome } from './job-outcome.tsx';
import { JobRequest } from './job-request.tsx';
import { JobTimeline } from './job-timeline.tsx';
import { ProblemRows } from './problem-rows.tsx';
import { RetryNote, RetryRows } from './retry-rows.tsx';
import { StateBadge } from './state-badge.tsx';
import { useLiveJobs } from './use-live-jobs.ts';

/** One job: facts, progress, artifact, problem rows and webhooks. */
export function JobScreen({ id }: { id: string }) {
  const loaded = useLoaded(id, (signal) =>
    callJson<JobDetail>(`/jobs/${encodeURIComponent(id)}`, { signal }),
  );
  const [live, setLive] = useState<Job | undefined>();
  const [retried, setRetried] = useState<{ of: string; made: string } | undefined>();
  useLiveJobs((told) => {
    if (told.id !== id && told.id !== loaded.data?.id) return;
    setLive(told);
    // The artifact and the deliveries exist once the job has settled.
    if (!isOpen(told)) loaded.reload();
  });
  const job: JobDetail | undefined = loaded.data && { ...loaded.data, ...newer(loaded.data, live) };
  return (
    <Page
      title={job === undefined ? 'Job' : kindName(job.kind)}
      lead={job && <StateBadge job={job} />}
      above={<BackLink to="/console/jobs">All jobs</BackLink>}
      actions={
        job && (
          <May need="run">
            {isOpen(job) ? (
              <CancelJob job={job} onDone={loaded.reload} />
            ) : (
              <RetryRows key={job.id} job={job} onMade={(made) => setRetried({ of: job.id, made })} />
            )}
          </May>
        )
      }
    >
      <Resource of={{ ...loaded, data: job }} name="The job">
        {(shown) => (
          <>
            <RetryNote job={shown} madeId={retried?.of === shown.id ? retried.made : undefined} />
            <JobOutcome job={shown} />
            <JobTimeline job={shown} />
            <Columns>
              <JobFacts job={shown} />
              <JobRequest job={shown} />
            </Columns>
            <JobArtifact job={shown} />
            <JobFiles files={shown.files} />
            {(shown.rows.failed > 0 || (shown.rows.warned ?? 0) > 0) && !isOpen(shown) && (
              <ProblemRows job={shown} />
            )}
            <JobDeliveries deliveries={shown.deliveries} />
          </>
        )}
      </Resource>
    </Page>
  );
}

/** The state from the stream, unless the loaded state is newer. */
function newer(read: Job, live: Job | undefined): Partial<Job> {
  if (live === undefined || !isOpen(read)) return {};
  return live.rows.done >= read.rows.done || !isOpen(live) ? live : {};
}

function CancelJob({ job, onDone }: { job: Job; onDone: () => void }) {
  const [asking, setAsking] = useState(false);
  const cancel = async () => {
    await callJson(`/jobs/${job.id}/cancel`, { method: 'POST' });
    tell('good', 'Job cancelled');
    onDone();
  };
  return (
    <>
      <Button look="danger" icon={<Ban size={15} />} onClick={() => setAsking(true)}>
        Cancel job
      </Button>
      {asking && (
        <Confirm
          title="Cancel this job?"
          action="Cancel job"
          onConfirm={cancel}
          onClose={() => setAsking(false)}
        >
          <p>
            Finished rows are deleted, nothing is billed, and the job ends as failed. Its request key refers
            to this job until the key expires.
          </p>
        </Confirm>
      )}
    </>
  );
}
