/** A rate limit: so many requests in a window. 0 requests: no limit. */
export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

export const perMinute = (requests: number): Limit => ({ requests, seconds: 60 });
