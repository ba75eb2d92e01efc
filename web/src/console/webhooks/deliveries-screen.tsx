import { Send } from 'lucide-react';
import { useState } from 'react';
import type { Delivery } from '#console/contract/deliveries.ts';
import type { Page as ListPage } from '#console/contract/list.ts';
import { callJson } from '../../api/operator-client.ts';
import { May } from '../../shell/may.tsx';
import { EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { AccountFilter, ChoiceFilter, Filters } from '../parts/filters.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { TextFilter } from '../parts/text-filter.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useQuery } from '../parts/use-query.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { SendTest } from './send-test.tsx';

const STATES = [
  { value: 'pending', name: 'Pending or retrying' },
  { value: 'failing', name: 'Retrying' },
  { value: 'delivered', name: 'Delivered' },
  { value: 'exhausted', name: 'Given up' },
];

/** All webhook deliveries and their states. */
export function DeliveriesScreen() {
  const [filter, setFilter] = useQuery(['state', 'account', 'event']);
  const [testing, setTesting] = useState(false);
  const pages = usePages<Delivery>(JSON.stringify(filter), (cursor, signal) =>
    callJson<ListPage<Delivery>>('/deliveries', { query: { ...filter, cursor, limit: 50 }, signal }),
  );
  const filtered = Object.values(filter).some((value) => value !== '');
  return (
    <Page
      title="Webhooks"
      lead="Events for receivers. A failed delivery is retried automatically, up to a limit. You can send any delivery again."
      actions={
        <May need="design">
          <Button icon={<Send size={15} />} onClick={() => setTesting(true)}>
            Send test
          </Button>
        </May>
      }
    >
      <Filters>
        <ChoiceFilter
          label="State"
          all="All states"
          value={filter.state}
          choices={STATES}
          onChoose={(value) => setFilter('state', value)}
        />
        <AccountFilter value={filter.account} onChoose={(value) => setFilter('account', value)} />
        <TextFilter
          label="Event type or event id"
          value={filter.event}
          onChange={(value) => setFilter('event', value)}
        />
      </Filters>
      <PagedTable
        label="Webhook deliveries"
        pages={pages}
        columns={deliveryColumns}
        rowKey={({ id }) => id}
        empty={
          filtered ? (
            <EmptyState title="No deliveries match these filters">Clear a filter to see more.</EmptyState>
          ) : (
            <EmptyState
              title="No deliveries yet"
              action={
                <May need="design">
                  <Button onClick={() => setTesting(true)}>Send test</Button>
                </May>
              }
            >
              Create a job with delivery_mode=webhook, or register a receiver for Subscribers or Ingest. To
              try it out, run `rowpress webhooks listen`.
            </EmptyState>
          )
        }
      />
      {testing && <SendTest onClose={() => setTesting(false)} onSent={pages.reload} />}
    </Page>
  );
}
