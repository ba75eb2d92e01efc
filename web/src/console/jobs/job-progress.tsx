import { ProgressBar } from '../../ui/badge.tsx';
import { formatCount, formatMany } from '../parts/format.ts';
import { isOpen, type Job } from './job.ts';
import styles from './job-progress.module.css';

/** How far a job is: a bar while it runs, the outcome in figures afterwards. */
export function JobProgress({ job }: { job: Job }) {
  const { total, done, failed } = job.rows;
  return (
    <span className={styles.progress}>
      {isOpen(job) && <ProgressBar label={`Progress of job ${job.public_id}`} value={done} max={total} />}
      <span className={styles.figures}>
        {isOpen(job) ? `${formatCount(done)} of ${formatCount(total)}` : formatMany(total, 'row')}
        {failed > 0 && <span className={styles.failed}> · {formatCount(failed)} failed</span>}
        {(job.rows.warned ?? 0) > 0 && (
          <span className={styles.warned}> · {formatMany(job.rows.warned ?? 0, 'warning')}</span>
        )}
      </span>
    </span>
  );
}
