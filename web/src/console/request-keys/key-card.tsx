import type { RequestKey } from '#console/contract/request-keys.ts';
import { Link } from '../../shell/link.tsx';
import { kindName } from '../jobs/job.ts';
import { Id } from '../jobs/job-facts.tsx';
import { StateBadge } from '../jobs/state-badge.tsx';
import { DigestList } from '../parts/digest-list.tsx';
import { Facts } from '../parts/facts.tsx';
import { Card, Section } from '../parts/page.tsx';
import { surfaceName } from '../parts/surfaces.ts';
import { Time } from '../parts/time.tsx';

export function KeyCard({ item, differing }: { item: RequestKey; differing: ReadonlySet<string> }) {
  const { job, response } = item;
  return (
    <Section title={`${surfaceName(item.surface)} · ${item.account}`}>
      <Card>
        <Facts
          of={[
            ['Refers to', <StandsFor key="what" item={item} />],
            ...(job?.state == null
              ? []
              : ([
                  ['State', <StateBadge key="state" job={{ state: job.state, cancelled: false }} />],
                ] as const)),
            ...(response === null
              ? []
              : ([
                  [
                    'Stored response',
                    `${response.status}${response.media_type ? ` · ${response.media_type}` : ''}`,
                  ],
                ] as const)),
            ['First used', <Time key="first" at={item.created_at} />],
            ['Window ends', <Time key="ends" at={item.expires_at} />],
            [
              'First request',
              item.first_request_id === null ? (
                '–'
              ) : (
                <Id key="id" id={item.first_request_id} what="the request id" />
              ),
            ],
            ...(Object.keys(item.body_parts).length === 0
              ? []
              : ([
                  [
                    'Body digests',
                    <DigestList key="parts" digests={item.body_parts} differing={differing} />,
                  ],
                ] as const)),
          ]}
        />
      </Card>
    </Section>
  );
}

function StandsFor({ item: { job, response } }: { item: RequestKey }) {
  if (job !== null)
    return (
      <>
        {kindName(job.kind)}:{' '}
        <Link to={`/console/jobs/${job.id}`}>
          <code>{job.public_id}</code>
        </Link>
      </>
    );
  return response === null ? 'a request that is running' : 'a kept answer';
}
