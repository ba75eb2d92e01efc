import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '#lib/backoff.ts';
import type { Clock } from '#lib/clock.ts';

/** What all work depends on. */
export type Service = 'database' | 'blobs';
const ALL: readonly Service[] = ['database', 'blobs'];

export interface Outage {
  readonly service: Service;
  readonly since: Date;
}

export interface ServicesParts {
  /** A cheap call of each service. It rejects if the service is unavailable. */
  readonly probes: Readonly<Record<Service, () => Promise<unknown>>>;
  readonly clock: Clock;
  readonly onBegin: (outage: Outage, error: unknown) => void;
  readonly onEnd: (outage: Outage) => void;
  readonly timing?: ServicesTiming;
}

export interface ServicesTiming {
  readonly probeMs: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

/** A longer pause would delay the work after the outage, a shorter one load a service that is starting. */
const USUAL: ServicesTiming = { probeMs: 5_000, firstPauseMs: 500, maxPauseMs: 5_000 };

interface OpenOutage extends Outage {
  readonly ended: Promise<void>;
}

/**
 * Tracks the outages of the services as this process sees them. A failure of work makes it probe; from then on one loop
 * per service probes with growing pauses until the service responds.
 */
export class Services {
  readonly #parts: ServicesParts;
  readonly #timing: ServicesTiming;
  readonly #outages = new Map<Service, OpenOutage>();
  readonly #closing = new AbortController();
  #checking: Promise<unknown> | undefined;

  constructor(parts: ServicesParts) {
    this.#parts = parts;
    this.#timing = parts.timing ?? USUAL;
  }

  get outages(): readonly Outage[] {
    return [...this.#outages.values()];
  }

  /** Probes all services and returns whether those in `needed` respond. Concurrent calls share the probes. */
  async check(needed: readonly Service[] = ALL): Promise<boolean> {
    this.#checking ??= Promise.all(ALL.map((service) => this.#examine(service))).finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
    return needed.every((service) => !this.#outages.has(service));
  }

  /** Resolves when none of these services has an outage, when `leave` aborts, or when this object is closed. */
  async available(services: readonly Service[], leave?: AbortSignal): Promise<void> {
    const waiting = services.flatMap((service) => this.#outages.get(service)?.ended ?? []);
    if (waiting.length === 0 || leave?.aborted === true) return;
    let left: () => void = () => {};
    const leaving = new Promise<void>((resolve) => {
      left = resolve;
    });
    leave?.addEventListener('abort', left, { once: true });
    await Promise.race([Promise.all(waiting), leaving]);
    leave?.removeEventListener('abort', left);
  }

  /** Ends the probing and every wait. From then on no service counts as unavailable. */
  close(): void {
    this.#closing.abort();
    this.#outages.clear();
  }

  async #examine(service: Service): Promise<void> {
    if (this.#outages.has(service) || this.#closing.signal.aborted) return;
    try {
      await this.#probe(service);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const outage = { service, since: this.#parts.clock.now() };
      this.#parts.onBegin(outage, error);
      this.#outages.set(service, { ...outage, ended: this.#watch(outage) });
    }
  }

  async #watch(outage: Outage): Promise<void> {
    const { firstPauseMs, maxPauseMs } = this.#timing;
    const { signal } = this.#closing;
    for (let turn = 1; ; turn += 1) {
      await pause(backoffMs(turn, firstPauseMs, maxPauseMs), undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const responds = await this.#probe(outage.service).then(
        () => true,
        () => false,
      );
      if (!responds || signal.aborted) continue;
      this.#outages.delete(outage.service);
      this.#parts.onEnd(outage);
      return;
    }
  }

  /** A service that accepts the call and never responds is unavailable too. */
  async #probe(service: Service): Promise<void> {
    const late = AbortSignal.timeout(this.#timing.probeMs);
    await new Promise<void>((resolve, reject) => {
      late.addEventListener('abort', () => reject(new Error(`no response in ${this.#timing.probeMs} ms`)), {
        once: true,
      });
      this.#parts.probes[service]().then(() => resolve(), reject);
    });
  }
}
