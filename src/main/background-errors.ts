import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/logger.ts';

/** While the database is unavailable, every loop fails in the same way several times a second. */
const QUIET_MS = 10_000;
const KEPT_MS = 3_600_000;
const MAX_KINDS = 50;

export interface KeptFailure {
  readonly kind: string;
  readonly message: string;
  readonly count: number;
  readonly last_at: Date;
}

/** Failures of background work: each kind is logged at most every ten seconds, and operators see those of the last hour. */
export class BackgroundErrors {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #saidAt = new Map<string, number>();
  readonly #kept = new Map<string, KeptFailure>();

  /** Tells errors that are kept but not logged. */
  quiet: (error: unknown) => boolean = () => false;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** An arrow function, so that it can be passed on. */
  note = (error: unknown): void => {
    const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown };
    const kind = String(code ?? name ?? 'error');
    this.#keep(kind, String(message ?? error).slice(0, 300));
    if (this.quiet(error)) return;
    const now = performance.now();
    if (now - (this.#saidAt.get(kind) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    this.#saidAt.set(kind, now);
    this.#log.error({ err: error }, 'background work failed');
  };

  lastHour(): readonly KeptFailure[] {
    const since = this.#clock.now().getTime() - KEPT_MS;
    for (const [kind, failure] of this.#kept) if (failure.last_at.getTime() < since) this.#kept.delete(kind);
    return [...this.#kept.values()].sort((a, b) => b.last_at.getTime() - a.last_at.getTime());
  }

  #keep(kind: string, message: string): void {
    const count = (this.#kept.get(kind)?.count ?? 0) + 1;
    this.#kept.delete(kind);
    this.#kept.set(kind, { kind, message, count, last_at: this.#clock.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KINDS && oldest !== undefined) this.#kept.delete(oldest);
  }
}
