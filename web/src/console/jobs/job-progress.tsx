import type { Job } from '#console/contract/jobs.ts';
import { ProgressBar } from '../../ui/badge.tsx';
import { formatCount, formatMany } from '../parts/format.ts';
import { isOpen } from './job.ts';
import styles from './job-progress.module.css';

/** The progress of a job: a bar while it runs, then the result in numbers and the error, if any. */
export function JobProgress({ job }: { job: Job }) {
  const { total, done, failed, warned = 0 } = job.rows;
  const open = isOpen(job);
  return (
    <span className={styles.progress}>
      <span className={styles.figures}>
        {rowsOf(job)}
        {failed > 0 && <span className={styles.failed}> · {formatCount(failed)} failed</span>}
        {warned > 0 && <span className={styles.warned}> · {formatCount(warned)} with warnings</span>}
      </span>
      {open && (
        <span className={styles.bar}>
          <ProgressBar label={`Progress of job ${job.public_id}`} value={done} max={total} />
        </span>
      )}
      {job.error !== null && !job.cancelled && (
        <span className={styles.error} title={job.error.message}>
          {job.error.message || job.error.code}
        </span>
      )}
    </span>
  );
}

/** The number of rows of an export is known once it has written them. */
function rowsOf(job: Job): string {
  const { total, done } = job.rows;
  if (!isOpen(job)) return formatMany(total, 'row');
  return total === 0 ? 'Counting rows' : `${formatCount(done)} of ${formatMany(total, 'row')}`;
}
