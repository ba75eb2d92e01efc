import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { ExportJob } from '#bulkfill/contract.ts';
import type { JobDetail } from '#console/contract/jobs.ts';
import { callJson } from '../../api/operator-client.ts';
import { Link } from '../../shell/link.tsx';
import { Banner } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { formatMany } from '../parts/format.ts';

const OPERATOR_PREFIX = '/operator/v1';
const GONE =
  'This job cannot be retried: its inputs are deleted, or the server was updated since and would draw the rows differently. Create a new job instead.';

/** Creates a job of the rows without a result. */
export function RetryRows({ job, onMade }: { job: JobDetail; onMade: (id: string) => void }) {
  // One key until a retry succeeds: a click after a lost response does not create a second job.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [asking, setAsking] = useState(false);
  const { retry } = job;
  if (retry === null) return null;
  const words = retry.all ? 'Retry all rows' : 'Retry failed rows';
  const send = async () => {
    const { job_id } = await callJson<ExportJob>(retry.path.slice(OPERATOR_PREFIX.length), {
      method: 'POST',
      account: job.account,
      // Returns at once: a job that fails within the wait would be a response with status 500.
      headers: { 'idempotency-key': key, prefer: 'wait=0' },
      json: {},
    });
    setKey(crypto.randomUUID());
    onMade(job_id);
  };
  return (
    <>
      <Button
        icon={<RotateCcw size={15} />}
        disabled={!retry.possible}
        title={retry.possible ? undefined : GONE}
        onClick={() => setAsking(true)}
      >
        {words}
      </Button>
      {asking && (
        <Confirm
          title={`Retry ${formatMany(retry.rows, 'row')}?`}
          action={words}
          dangerous={false}
          onConfirm={send}
          onClose={() => setAsking(false)}
        >
          <p>
            {retry.all
              ? 'This job failed and delivered nothing, so a new job fills all of its rows.'
              : 'A new job fills only the rows that failed.'}{' '}
            It uses the same files and options, and its rows count towards the plan of {job.account}. This job
            stays as it is.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** The result of a retry, or why there cannot be one. */
export function RetryNote({ job, madeId }: { job: JobDetail; madeId: string | undefined }) {
  if (madeId !== undefined)
    return (
      <Banner
        tone="good"
        title="Retry started"
        action={<Link to={`/console/jobs/${madeId}`}>Open the new job</Link>}
      >
        A new job fills these rows.
      </Banner>
    );
  if (job.retry === null || job.retry.possible) return null;
  return <Banner title="No retry is possible">{GONE}</Banner>;
}
