import type { Delivery } from '#console/contract/deliveries.ts';
import type { Tone } from '../../ui/badge.tsx';

export function deliveryState(state: Delivery['state'], attempts: number): { name: string; tone: Tone } {
  if (state === 'delivered') return { name: 'Delivered', tone: 'good' };
  if (state === 'exhausted') return { name: 'Given up', tone: 'bad' };
  return attempts > 0 ? { name: 'Retrying', tone: 'warn' } : { name: 'Pending', tone: 'neutral' };
}

/** Formats a JSON body over several lines. */
export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
