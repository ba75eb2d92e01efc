import type { Job } from '#console/contract/jobs.ts';
import { formatDuration } from '../parts/format.ts';
import { Time } from '../parts/time.tsx';
import { isOpen, stateLabel } from './job.ts';
import styles from './job-timeline.module.css';

/** When the job was accepted, started and finished, and the time between these steps. */
export function JobTimeline({ job }: { job: Job }) {
  const between = (from: string | null, to: string | null) =>
    from === null || to === null ? undefined : formatDuration(Date.parse(to) - Date.parse(from));
  const steps = [
    { name: 'Accepted', at: job.created_at, note: undefined },
    { name: 'Started', at: job.started_at, note: between(job.created_at, job.started_at) },
    {
      name: isOpen(job) ? 'Ended' : stateLabel(job).name,
      at: job.settled_at,
      note: between(job.started_at ?? job.created_at, job.settled_at),
    },
  ];
  return (
    <ol className={styles.line} aria-label="Timeline">
      {steps.map(({ name, at, note }) => (
        <li key={name} className={at === null ? styles.ahead : undefined}>
          <strong>{name}</strong>
          <span>
            <Time at={at} none="not yet" />
            {note !== undefined && ` · after ${note}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
