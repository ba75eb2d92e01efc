import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { DeliveryDetail } from '#console/contract/deliveries.ts';
import { callJson } from '../../api/operator-client.ts';
import { Link } from '../../shell/link.tsx';
import { May } from '../../shell/may.tsx';
import { go } from '../../shell/router.ts';
import { Button } from '../../ui/button.tsx';
import { tell, tellError } from '../../ui/messages.tsx';
import { Id } from '../jobs/job-facts.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Facts } from '../parts/facts.tsx';
import { Card, Columns, Page, Section } from '../parts/page.tsx';
import { Resource } from '../parts/resource.tsx';
import { BackLink } from '../parts/row-link.tsx';
import { Time } from '../parts/time.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Attempts } from './attempts.tsx';
import { prettyBody } from './delivery.ts';
import { DeliveryBadge } from './delivery-columns.tsx';

const REFRESH_MS = 3_000;

/** One event for one receiver: its attempts, its body, and a button to resend it. */
export function DeliveryScreen({ id }: { id: string }) {
  const loaded = useLoaded(
    id,
    (signal) => callJson<DeliveryDetail>(`/deliveries/${encodeURIComponent(id)}`, { signal }),
    REFRESH_MS,
  );
  const { data } = loaded;
  const [busy, setBusy] = useState(false);
  const redeliver = async () => {
    setBusy(true);
    try {
      const again = await callJson<DeliveryDetail>(`/deliveries/${id}/redeliver`, { method: 'POST' });
      tell('good', 'Event sent again');
      if (again.id === id) loaded.reload();
      else go(`/console/deliveries/${again.id}`);
    } catch (error) {
      tellError(error);
    }
    setBusy(false);
  };
  return (
    <Page
      title={data?.event ?? 'Webhook'}
      lead={data && <DeliveryBadge state={data.state} attempts={data.attempts.length} />}
      above={<BackLink to="/console/deliveries">All webhooks</BackLink>}
      actions={
        data && (
          <May need="design">
            <Button look="primary" icon={<RotateCw size={15} />} resting={busy} onClick={redeliver}>
              Redeliver
            </Button>
          </May>
        )
      }
    >
      <Resource of={loaded} name="The delivery">
        {(delivery) => (
          <>
            <Attempts attempts={delivery.attempts} nextAt={delivery.next_attempt_at} />
            <Columns>
              <Section title="Delivery">
                <Card>
                  <Facts
                    of={[
                      ['Receiver', delivery.target],
                      ['Event id', <Id key="event" id={delivery.event_id} what="the event id" />],
                      ['Account', delivery.account],
                      ['Signature', <code key="scheme">{delivery.scheme}</code>],
                      ['Created', <Time key="created" at={delivery.created_at} />],
                      ['Delivered', <Time key="delivered" at={delivery.delivered_at} none="not yet" />],
                      [
                        'Job',
                        delivery.job_id === null ? (
                          '–'
                        ) : (
                          <Link key="job" to={`/console/jobs/${delivery.job_id}`}>
                            <code>{delivery.job_id}</code>
                          </Link>
                        ),
                      ],
                    ]}
                  />
                </Card>
              </Section>
              <Section title="Body">
                {delivery.body === null ? (
                  <p>The body has been deleted.</p>
                ) : (
                  <CodeBlock text={prettyBody(delivery.body)} what="the body" wrap />
                )}
              </Section>
            </Columns>
          </>
        )}
      </Resource>
    </Page>
  );
}
