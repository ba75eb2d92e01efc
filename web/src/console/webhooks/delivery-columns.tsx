import type { Delivery } from '#console/contract/deliveries.ts';
import { Badge } from '../../ui/badge.tsx';
import { Cell, type Column } from '../parts/data-table.tsx';
import { RowLink } from '../parts/row-link.tsx';
import { Time } from '../parts/time.tsx';
import { deliveryState } from './delivery.ts';

export function DeliveryBadge({ state, attempts }: { state: Delivery['state']; attempts: number }) {
  const { name, tone } = deliveryState(state, attempts);
  return <Badge tone={tone}>{name}</Badge>;
}

/** The last response: a status, or why there was none. */
export function answerOf(status: number | null, error: string | null): string {
  if (status !== null) return error === null ? String(status) : `${status} · ${error}`;
  return error ?? '–';
}

export const deliveryColumns: readonly Column<Delivery>[] = [
  {
    title: 'Event',
    cell: (delivery) => (
      <Cell
        main={<RowLink to={`/console/deliveries/${delivery.id}`}>{delivery.event}</RowLink>}
        sub={delivery.account}
      />
    ),
  },
  { title: 'State', cell: ({ state, attempts }) => <DeliveryBadge state={state} attempts={attempts} /> },
  {
    title: 'Receiver',
    grow: true,
    cell: ({ target, last_error }) => (
      <Cell main={<span title={target}>{target}</span>} sub={last_error ?? undefined} />
    ),
  },
  { title: 'Attempts', align: 'end', cell: ({ attempts }) => attempts },
  { title: 'Response', align: 'end', cell: ({ last_status }) => last_status ?? '–' },
  {
    title: 'Next attempt',
    align: 'end',
    cell: ({ next_attempt_at }) => <Time at={next_attempt_at} />,
  },
  { title: 'Created', align: 'end', cell: ({ created_at }) => <Time at={created_at} /> },
];
