import { writeSync } from 'node:fs';
import pg from 'pg';
import { Audit } from './audit.ts';
import { type FaultResult, faultTable } from './fault-table.ts';
import { type Callers, createCallers, Load, longestGapMs, SURFACES } from './load.ts';
import { Stack } from './stack.ts';
import { answers200, waitUntil } from './wait-until.ts';

export interface FaultRun extends FaultResult {
  readonly longestAttemptMs: number;
}

/** The cluster, its load and what each fault did to it. */
export class Scene {
  readonly stack: Stack;
  readonly callers: Callers;
  readonly #pool: pg.Pool;
  readonly #audit: Audit;
  readonly #results: FaultResult[] = [];

  private constructor(stack: Stack, callers: Callers) {
    this.stack = stack;
    this.callers = callers;
    this.#pool = new pg.Pool({ connectionString: stack.directUrl, max: 1 });
    // A failover breaks the idle connection; the pool replaces it.
    this.#pool.on('error', () => {});
    this.#audit = new Audit(callers, this.#pool, stack.folder);
  }

  static async open(rowpress?: string): Promise<Scene> {
    const stack = await Stack.start(rowpress);
    try {
      return new Scene(stack, await createCallers(stack));
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /**
   * Runs `inject`, which causes a fault and removes it, under load. Then waits until every surface has accepted a request, and
   * compares what was acknowledged with what is stored.
   */
  async suffer(fault: string, inject: (load: Load) => Promise<void>, pauseMs?: number): Promise<FaultRun> {
    const load = new Load(this.callers, pauseMs);
    let from = Date.now();
    try {
      await acceptsAll(load, from);
      from = Date.now();
      await inject(load);
      await acceptsAll(load, Date.now());
    } catch (error) {
      // The error of the fault explains more than requests that were not acknowledged because of it.
      await load.stop().catch(() => {});
      throw error;
    }
    await load.stop();
    const gaps = {
      bulkfill: longestGapMs(load.successes.bulkfill, from),
      subscribers: longestGapMs(load.successes.subscribers, from),
      ingest: longestGapMs(load.successes.ingest, from),
      all: longestGapMs(
        SURFACES.flatMap((surface) => load.successes[surface]).sort((a, b) => a - b),
        from,
      ),
    };
    const { length: requests } = SURFACES.flatMap((surface) => load.successes[surface]);
    const { longestAttemptMs } = load;
    const result = { fault, requests, gaps, longestAttemptMs, ...(await this.#audit.of(load)) };
    this.#results.push(result);
    return result;
  }

  /** Returns whether all api nodes are ready, or any of them. */
  async isReady(how: 'all' | 'any' = 'all'): Promise<boolean> {
    const ready = await Promise.all(
      (['api1', 'api2'] as const).map((name) => answers200(`${this.stack.urlOf(name)}/readyz`)),
    );
    return how === 'all' ? ready.every(Boolean) : ready.some(Boolean);
  }

  async close(): Promise<void> {
    // Not through the reporter, which would indent it.
    if (this.#results.length > 0) writeSync(1, `\n${faultTable(this.#results)}\n\n`);
    await this.#pool.end();
    await this.stack.stop();
  }
}

/** Waits until every surface has acknowledged a request after `from`, or a lane has failed. */
async function acceptsAll(load: Load, from: number): Promise<void> {
  const silent = () => SURFACES.filter((surface) => (load.successes[surface].at(-1) ?? 0) <= from);
  try {
    await waitUntil('every surface accepts requests', 120, async () => {
      return load.failure !== undefined || silent().length === 0;
    });
  } catch (error) {
    const [surface] = silent();
    throw new Error(`${surface} accepts no request`, {
      cause: surface && (load.lastErrors[surface] ?? error),
    });
  }
  if (load.failure !== undefined) throw load.failure;
}

export const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, count * 1000));
