import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Rowpress } from '#client/rowpress.ts';
import { RowpressError, type Surface } from '#client/rowpress-error.ts';
import type { Stack } from './stack.ts';

export const SURFACES: readonly Surface[] = ['bulkfill', 'subscribers', 'ingest'];
const FORM = join(import.meta.dirname, '../../../examples/01-fill-a-form');

export interface Caller {
  /** Sends every request once: the load repeats it at a steady pace, so that gaps are those of the server. */
  readonly once: Rowpress;
  /** Retries like any client of the library. */
  readonly patient: Rowpress;
  /** Sends every request once, to one node instead of the proxy. */
  at(url: string): Rowpress;
}

export interface Callers {
  readonly files: { readonly pdf: string; readonly package: string };
  readonly of: Readonly<Record<Surface, Caller>>;
}

/** Creates a key per surface and seals the form that the load fills. */
export async function createCallers(stack: Stack): Promise<Callers> {
  const caller = async (surface: Surface): Promise<Caller> => {
    const create = ['keys', 'create', '--surface', surface, '--account', 'load'];
    const { key: apiKey } = await stack.command<{ key: string }>(create);
    const options = { baseUrl: stack.url, apiKey, timeoutMs: 30_000 };
    const at = (baseUrl: string) => new Rowpress({ ...options, baseUrl, retries: 0 });
    return { once: at(stack.url), patient: new Rowpress(options), at };
  };
  const files = { pdf: join(FORM, 'form.pdf'), package: join(stack.folder, 'form.doqlo') };
  const layout = join(FORM, 'layout.json');
  const seal = ['layout', 'seal', '--layout', layout, '--pdf', files.pdf, '-o', files.package];
  const [bulkfill, subscribers, ingest] = await Promise.all([
    caller('bulkfill'),
    caller('subscribers'),
    caller('ingest'),
    stack.command(seal),
  ]);
  return { files, of: { bulkfill, subscribers, ingest } };
}

/** A request that the server has acknowledged. */
export interface Acknowledged {
  readonly surface: Surface;
  readonly number: number;
  readonly key: string;
  /** The job, or for Ingest the item. */
  readonly id: string;
}

/** Numbers are unique in the whole run, so that no request of one load equals one of another. */
let lastNumber = 0;
const RETRY_MS = 250;

/** Sends requests of all three surfaces, and repeats each with the same key until it is acknowledged. */
export class Load {
  readonly acknowledged: Acknowledged[] = [];
  /** When a 2xx arrived, in order. */
  readonly successes: Record<Surface, number[]> = { bulkfill: [], subscribers: [], ingest: [] };
  /** Replays that named something else than the first response. */
  readonly unequalReplays: string[] = [];
  longestAttemptMs = 0;
  /** The error that ended a lane: the request must not be repeated, or was not acknowledged in time. */
  failure: unknown;
  /** The last error of each surface that was retried. */
  readonly lastErrors: Partial<Record<Surface, unknown>> = {};
  readonly #callers: Callers;
  readonly #pauseMs: number;
  readonly #lanes: Promise<void>[];
  readonly #open = new Set<{ readonly startedAt: number }>();
  #stopAt = Number.POSITIVE_INFINITY;

  /** Two requests per surface at a time, with a pause after each. */
  constructor(callers: Callers, pauseMs = 250) {
    this.#callers = callers;
    this.#pauseMs = pauseMs;
    this.#lanes = [...SURFACES, ...SURFACES].map(async (surface) => {
      try {
        await this.#run(surface);
      } catch (error) {
        this.failure = error;
      }
    });
  }

  /** When the oldest attempt that has not ended began. */
  get openSince(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...[...this.#open].map(({ startedAt }) => startedAt));
  }

  /** Ends the load once every request that was begun is acknowledged. */
  async stop(): Promise<void> {
    this.#stopAt = Date.now();
    await Promise.all(this.#lanes);
    if (this.failure !== undefined) throw this.failure;
  }

  /**
   * Creates one more job of Bulk Fill through the node at `url`, and replays the request through the node at `replayUrl`.
   * Returns the job.
   */
  createAt(url: string, replayUrl: string): Promise<string> {
    const { at } = this.#callers.of.bulkfill;
    return this.#accept('bulkfill', at(url), at(replayUrl));
  }

  async #run(surface: Surface): Promise<void> {
    const { once } = this.#callers.of[surface];
    while (Date.now() < this.#stopAt) {
      await this.#accept(surface, once, (lastNumber + 1) % 3 === 0 ? once : undefined);
      await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
    }
  }

  async #accept(surface: Surface, client: Rowpress, replayer: Rowpress | undefined): Promise<string> {
    lastNumber += 1;
    const request = { surface, number: lastNumber, key: randomUUID() };
    const id = await this.#untilAcknowledged(request, client);
    this.acknowledged.push({ ...request, id });
    if (replayer === undefined) return id;
    const again = await this.#untilAcknowledged(request, replayer);
    if (again !== id) this.unequalReplays.push(`${request.key}: ${id}, then ${again}`);
    return id;
  }

  async #untilAcknowledged(request: Omit<Acknowledged, 'id'>, client: Rowpress): Promise<string> {
    const { surface, key } = request;
    for (;;) {
      try {
        const id = await this.#attempt(request, client);
        this.successes[surface].push(Date.now());
        return id;
      } catch (error) {
        if (!(error instanceof RowpressError) || error.retry !== 'same-key') throw error;
        if (Date.now() > this.#stopAt + 90_000)
          throw new Error(`${key} was not acknowledged within 90 s after the fault`, { cause: error });
        this.lastErrors[surface] = error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async #attempt(request: Omit<Acknowledged, 'id'>, client: Rowpress): Promise<string> {
    const attempt = { startedAt: Date.now() };
    this.#open.add(attempt);
    try {
      return await this.#send(request, client);
    } finally {
      this.#open.delete(attempt);
      this.longestAttemptMs = Math.max(this.longestAttemptMs, Date.now() - attempt.startedAt);
    }
  }

  async #send(
    { surface, number, key }: Omit<Acknowledged, 'id'>,
    { bulkfill, subscribers, ingest }: Rowpress,
  ): Promise<string> {
    if (surface === 'bulkfill') {
      const rows = [{ column_0: `Person ${number}`, column_1: `P-${number}` }];
      const input = { ...this.#callers.files, rows, maxFailedRowPercent: 0 };
      return (await bulkfill.create(input, { idempotencyKey: key })).jobId;
    }
    if (surface === 'subscribers') {
      const lines = peopleOf(number).map((email) => `${email},Import ${number}`);
      const file = Buffer.from(`Email,Name\n${lines.join('\n')}`);
      const mappings = [
        { csvColumn: 'Email', field: { type: 'email' as const } },
        { csvColumn: 'Name', field: { type: 'name' as const } },
      ];
      return (await subscribers.import({ file, mappings }, { idempotencyKey: key })).id;
    }
    // Without a version, so that a second application would show in the history.
    const items = [{ source_id: unitOf(number), name: `Unit ${number}` }];
    const { results } = await ingest.upsert('master/uoms', items, { correlationId: key });
    return results[0]?.internalId ?? '';
  }
}

export const peopleOf = (number: number): string[] => [0, 1, 2].map((line) => `p${number}-${line}@x.example`);
export const unitOf = (number: number): string => `u${number}`;

/** Returns the longest time without a 2xx after `from`, in milliseconds. Counts the time up to the first one. */
export function longestGapMs(successes: readonly number[], from: number): number {
  const after = successes.filter((at) => at > from);
  return Math.max(...after.map((at, index) => at - (after[index - 1] ?? from)), 0);
}
