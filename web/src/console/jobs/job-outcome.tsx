import type { JobDetail } from '#console/contract/jobs.ts';
import { Banner, ProgressBar } from '../../ui/badge.tsx';
import { Figures } from '../parts/facts.tsx';
import { formatCount, formatDuration } from '../parts/format.ts';
import { useNow } from '../parts/time.tsx';
import { isOpen } from './job.ts';
import styles from './job-outcome.module.css';

/** The error if there is one, the counters, and a bar while it runs. */
export function JobOutcome({ job }: { job: JobDetail }) {
  const now = useNow();
  const { total, done, succeeded, failed, warned } = job.rows;
  const end = job.settled_at === null ? now : new Date(job.settled_at);
  const ms = job.started_at === null ? undefined : Math.max(0, end.getTime() - Date.parse(job.started_at));
  const rate = ms === undefined || ms < 200 || done === 0 ? undefined : Math.round(done / (ms / 1000));
  return (
    <>
      {job.error !== null && (
        <Banner tone={job.cancelled ? 'neutral' : 'bad'} title={job.error.message || job.error.code}>
          <code>{job.error.code}</code>
        </Banner>
      )}
      {isOpen(job) && (
        <div className={styles.bar}>
          <ProgressBar label="Rows done" value={done} max={total} />
          <span>{total === 0 ? '' : `${Math.floor((done / total) * 100)} %`}</span>
        </div>
      )}
      <Figures
        of={[
          { name: 'Rows', value: formatCount(total) },
          ...(isOpen(job) ? [{ name: 'Done', value: formatCount(done) }] : []),
          { name: 'Succeeded', value: formatCount(succeeded) },
          ...(warned === undefined ? [] : [{ name: 'With warnings', value: formatCount(warned) }]),
          { name: 'Failed', value: formatCount(failed), bad: failed > 0 },
          { name: 'Time', value: ms === undefined ? '–' : formatDuration(ms) },
          { name: 'Rows per second', value: rate === undefined ? '–' : formatCount(rate) },
        ]}
      />
    </>
  );
}
