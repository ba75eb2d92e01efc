import type { Retry } from './rowpress-error.ts';

/** What to do about an error whose code is unknown, such as one of a proxy or of a newer server. */
export function retryOfStatus(status: number): Retry {
  return status === 408 || status === 425 || status === 429 || status >= 500 ? 'same-key' : 'no';
}
