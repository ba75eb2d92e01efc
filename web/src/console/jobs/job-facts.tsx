import type { JobDetail } from '#console/contract/jobs.ts';
import { Link } from '../../shell/link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { formatMany } from '../parts/format.ts';
import { Card, Section } from '../parts/page.tsx';
import styles from './job-facts.module.css';

export function Id({ id, what }: { id: string; what: string }) {
  return (
    <span className={styles.id}>
      <code>{id}</code>
      <CopyButton text={id} what={what} />
    </span>
  );
}

export function JobFacts({ job }: { job: JobDetail }) {
  const { slices } = job;
  const rest = [
    slices.running > 0 && `${slices.running} running`,
    slices.open > slices.running && `${slices.open - slices.running} waiting`,
    slices.dropped > 0 && `${slices.dropped} dropped`,
    slices.max_attempt > 1 && `at most ${slices.max_attempt} attempts`,
  ].filter((part) => part !== false);
  return (
    <Section title="Job">
      <Card>
        <Facts
          of={[
            ['Job id', <Id key="id" id={job.public_id} what="the job id" />],
            ...(job.public_id === job.id
              ? []
              : ([['Internal id', <code key="internal">{job.id}</code>]] as const)),
            ['Account', job.account],
            ['Kind', <code key="kind">{job.kind}</code>],
            [
              'Slices',
              `${slices.done} of ${formatMany(slices.total, 'slice')} done${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`,
            ],
            ...(job.reused_from === null
              ? []
              : ([
                  [
                    'Reuses the result of',
                    <Link key="reused" to={`/console/jobs/${job.reused_from}`}>
                      an earlier job, whose artifact it hands out
                    </Link>,
                  ],
                ] as const)),
          ]}
        />
      </Card>
    </Section>
  );
}
