/** A rate limit: a number of requests per window. 0 requests: no limit. */
export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

export const perMinute = (requests: number): Limit => ({ requests, seconds: 60 });
