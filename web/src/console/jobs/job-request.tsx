import type { JobDetail } from '#console/contract/jobs.ts';
import { Link } from '../../shell/link.tsx';
import { DigestList } from '../parts/digest-list.tsx';
import { Facts } from '../parts/facts.tsx';
import { formatMany } from '../parts/format.ts';
import { Card, Section } from '../parts/page.tsx';
import { Id } from './job-facts.tsx';

/** The request that created the job. Only digests of its contents are stored. */
export function JobRequest({ job }: { job: JobDetail }) {
  const { request_key: key, request_id, body_parts } = job;
  const address = `/console/request-keys?${new URLSearchParams({ key: key ?? '', account: job.account })}`;
  const parts = Object.keys(body_parts ?? {});
  return (
    <Section title="Request">
      <Card>
        <Facts
          of={[
            [
              'Request key',
              key === null ? (
                'None. A repeated request creates a new job.'
              ) : (
                <Link key="key" to={address} title="Show this request key">
                  <code>{key}</code>
                </Link>
              ),
            ],
            ['Request id', request_id === null ? '–' : <Id key="id" id={request_id} what="the request id" />],
            ...(parts.length === 0
              ? []
              : ([
                  [
                    'Body digests',
                    <details key="parts">
                      <summary>{formatMany(parts.length, 'digest')}</summary>
                      <DigestList digests={body_parts ?? {}} />
                    </details>,
                  ],
                ] as const)),
          ]}
        />
      </Card>
    </Section>
  );
}
