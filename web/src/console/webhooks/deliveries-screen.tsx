import { Send } from 'lucide-react';
import { useState } from 'react';
import type { Delivery } from '#console/contract/deliveries.ts';
import type { Page as ListPage } from '#console/contract/list.ts';
import { callJson } from '../../api/operator-client.ts';
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
  { value: 'pending', name: 'Waiting or retrying' },
  { value: 'delivered', name: 'Delivered' },
  { value: 'exhausted', name: 'Given up' },
];

/** Every event that was to be told to somebody, and how that went. */
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
      lead="Events on their way to receivers. A failed one is tried again by itself, then given up; it can always be sent once more from here."
      actions={
        <Button icon={<Send size={15} />} onClick={() => setTesting(true)}>
          Send a test
        </Button>
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
            <EmptyState title="No delivery fits this filter" />
          ) : (
            <EmptyState
              title="Nothing has been sent yet"
              action={<Button onClick={() => setTesting(true)}>Send a test</Button>}
            >
              A job with delivery_mode=webhook, or a registered receiver of Subscribers or Ingest, makes the
              first one. `rowpress webhooks listen` is a receiver to try with.
            </EmptyState>
          )
        }
      />
      {testing && <SendTest onClose={() => setTesting(false)} onSent={pages.reload} />}
    </Page>
  );
}
