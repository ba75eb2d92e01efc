import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '#lib/clock.ts';
import { rateLimitStore } from '#storage/limits/rate-limit-store.ts';
import type { Limit } from './limit.ts';

export type LimitVerdict = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number };

/**
 * A fixed window per account, counted in one UNLOGGED table with one upsert per request, so that all nodes of an
 * installation share it exactly. A window starts with its first request. Rejected requests count too, which changes
 * nothing, because the window is already full.
 *
 * While the database is unavailable, each process counts for itself.
 */
export class RateLimits<Name extends string = string> {
  readonly #limiters = new Map<Name, RateLimiterPostgres>();

  /** A limit of 0 requests means no limit. */
  constructor(pool: pg.Pool, clock: Clock, limits: Readonly<Record<Name, Limit>>) {
    const storeClient = rateLimitStore(pool, clock);
    for (const [name, { requests, seconds }] of Object.entries(limits) as [Name, Limit][]) {
      if (requests === 0) continue;
      const window = { keyPrefix: name, points: requests, duration: seconds };
      const limiter = new RateLimiterPostgres({
        ...window,
        storeClient,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        insuranceLimiter: new RateLimiterMemory(window),
      });
      this.#limiters.set(name, limiter);
    }
  }

  async take(name: Name, accountId: string): Promise<LimitVerdict> {
    try {
      await this.#limiters.get(name)?.consume(accountId);
      return { ok: true };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
    }
  }

  /** Undoes one `take` if the operation did not happen. */
  async giveBack(name: Name, accountId: string): Promise<void> {
    await this.#limiters.get(name)?.reward(accountId);
  }
}
