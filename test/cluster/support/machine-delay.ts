import { setTimeout as sleep } from 'node:timers/promises';

const PROBE_MS = 100;
/** A request passes a client, a proxy, a node and the database. Each of them may wait for a processor as long as one probe. */
const STEPS = 3;

/**
 * Measures how much the machine itself delays requests, by probes that need neither the database nor the store. Limits of the
 * contract are compared without this delay: on a quiet machine it is a few milliseconds.
 */
export class MachineDelay {
  #longestMs = 0;
  #ends = false;
  readonly #probes: Promise<unknown>;

  /** `urls` are nodes. */
  constructor(urls: readonly string[]) {
    this.#probes = Promise.all(urls.map((url) => this.#probe(`${url}/healthz`)));
  }

  /** The part of a measured time that the machine may have added. */
  get ms(): number {
    return STEPS * this.#longestMs;
  }

  async stop(): Promise<void> {
    this.#ends = true;
    await this.#probes;
  }

  async #probe(url: string): Promise<void> {
    while (!this.#ends) {
      const began = performance.now();
      await sleep(PROBE_MS);
      const response = await fetch(url, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined);
      await response?.arrayBuffer();
      this.#longestMs = Math.max(this.#longestMs, performance.now() - began - PROBE_MS);
    }
  }
}
