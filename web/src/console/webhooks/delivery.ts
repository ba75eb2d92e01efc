import type { Tone } from '../../ui/badge.tsx';

/** One event on its way to one receiver. */
export interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly event: string;
  readonly surface: string;
  readonly job_id: string | null;
  readonly account: string;
  readonly target: string;
  readonly scheme: string;
  readonly state: 'pending' | 'delivered' | 'exhausted';
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly next_attempt_at: string | null;
  readonly delivered_at: string | null;
  readonly created_at: string;
}

export interface Attempt {
  readonly n: number;
  readonly at: string;
  /** Null while it runs. */
  readonly ms: number | null;
  readonly status: number | null;
  readonly error: string | null;
}

export interface DeliveryDetail extends Omit<Delivery, 'attempts'> {
  readonly attempts: readonly Attempt[];
  /** The exact text that every attempt sends. */
  readonly body: string | null;
}

export function deliveryState(state: Delivery['state'], attempts: number): { name: string; tone: Tone } {
  if (state === 'delivered') return { name: 'Delivered', tone: 'good' };
  if (state === 'exhausted') return { name: 'Given up', tone: 'bad' };
  return attempts > 0 ? { name: 'Retrying', tone: 'warn' } : { name: 'Waiting', tone: 'neutral' };
}

/** Bodies are JSON on one line; people read them better with line ends. */
export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
