import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressGroup } from '#lib/address-group.ts';
import type { Log } from '#lib/logger.ts';
import type { Metrics } from '#lib/metrics.ts';

interface FailedKeysParts {
  /** 0: no limit. */
  readonly perMinute: number;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Counts invalid keys per client address: unknown ids, wrong secrets, other text. Each node counts for itself, because a
 * query for each guess would help the guesser. Valid keys are never limited here, so a client is not locked out by a
 * neighbour behind the same NAT. Revoked and expired keys and those of another surface are mistakes, not guesses.
 */
export class FailedKeys {
  readonly #limiter: RateLimiterMemory | undefined;
  readonly #parts: FailedKeysParts;

  constructor(parts: FailedKeysParts) {
    this.#parts = parts;
    if (parts.perMinute > 0) this.#limiter = new RateLimiterMemory({ points: parts.perMinute, duration: 60 });
  }

  /** Records one invalid key. Returns the seconds until a retry, or undefined below the limit. */
  async record(surface: string, ip: string): Promise<number | undefined> {
    const { log, metrics, perMinute } = this.#parts;
    const address = addressGroup(ip);
    try {
      await this.#limiter?.consume(address);
      metrics.count('rowpress_failed_keys_total', { surface, outcome: 'refused' });
      log.warn({ surface, address }, 'invalid API key');
      return undefined;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      metrics.count('rowpress_failed_keys_total', { surface, outcome: 'limited' });
      // One line per window, so that the log does not grow with the guesses.
      if (refusal.consumedPoints === perMinute + 1)
        log.warn({ surface, address, count: perMinute }, 'invalid API keys of this address are limited');
      return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    }
  }
}
