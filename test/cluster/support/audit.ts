import { join } from 'node:path';
import type pg from 'pg';
import type { Surface } from '#client/rowpress-error.ts';
import { Turnstile } from '#lib/turnstile.ts';
import { brokenInvariants } from '../../support/checker.ts';
import { type Acknowledged, type Callers, type Load, unitOf } from './load.ts';
import { waitUntil } from './wait-until.ts';

export interface Findings {
  readonly lost: number;
  readonly doubled: number;
  readonly failedJobs: number;
  /** Violations of the invariants that the database shows. */
  readonly broken: readonly string[];
}

interface StoredJob {
  readonly id: string;
  readonly status: string;
}

export const collect = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const element of list) all.push(element);
  return all;
};

const READS_AT_ONCE = 8;
async function severalAtOnce<T>(list: readonly T[], read: (one: T) => Promise<void>): Promise<void> {
  const turnstile = new Turnstile(READS_AT_ONCE);
  await Promise.all(list.map((one) => turnstile.run(() => read(one))));
}

/** Compares the responses that clients received with what the server has stored. */
export class Audit {
  readonly #callers: Callers;
  readonly #pool: pg.Pool;
  readonly #folder: string;
  /** Jobs of earlier loads. */
  readonly #known = new Set<string>();

  constructor(callers: Callers, pool: pg.Pool, folder: string) {
    this.#callers = callers;
    this.#pool = pool;
    this.#folder = folder;
  }

  /** Waits until every job of the load has settled, then counts. */
  async of(load: Load): Promise<Findings> {
    const bulkfill = load.acknowledged.filter(({ surface }) => surface === 'bulkfill');
    const imports = load.acknowledged.filter(({ surface }) => surface === 'subscribers');
    const stored = [
      ...(await this.#settled('bulkfill', bulkfill)),
      ...(await this.#settled('subscribers', imports)),
    ];
    const ids = new Set(stored.map(({ id }) => id));
    const acknowledged = new Set([...bulkfill, ...imports].map(({ id }) => id));
    const surplus = [...ids].filter((id) => !acknowledged.has(id) && !this.#known.has(id));
    const missing = [...acknowledged].filter((id) => !ids.has(id));
    const failed = stored.filter(
      ({ id, status }) => acknowledged.has(id) && status.toLowerCase() === 'failed',
    );
    for (const id of ids) this.#known.add(id);
    const items = await this.#items(load.acknowledged.filter(({ surface }) => surface === 'ingest'));
    const unequalImports = await this.#importsAppliedOtherThanOnce(imports);
    await this.#downloadLast(bulkfill);
    return {
      lost: missing.length + items.lost,
      doubled: surplus.length + items.doubled + unequalImports + load.unequalReplays.length,
      failedJobs: failed.length,
      broken: await this.#broken([...bulkfill, ...imports]),
    };
  }

  async #broken(jobs: readonly Acknowledged[]): Promise<string[]> {
    const acknowledged = jobs.map(({ key, id }) => ({ key, jobId: id }));
    const broken = await brokenInvariants(this.#pool, { acknowledged, ended: new Map() });
    // Imports are not billed.
    const { rows } = await this.#pool.query<{ id: string }>(
      "select id from jobs where kind not like 'bulkfill%'",
    );
    const free = new Set(rows.map(({ id }) => id));
    return broken.filter((line) => !(line.startsWith('I4') && free.has(line.split(' ')[2] ?? '')));
  }

  async #settled(
    surface: Exclude<Surface, 'ingest'>,
    jobs: readonly Acknowledged[],
  ): Promise<readonly StoredJob[]> {
    const open = new Set(jobs.map(({ id }) => id));
    return waitUntil(`all jobs of ${surface} have settled`, 240, async () => {
      const stored = await this.#stored(surface);
      for (const { id, status } of stored) if (/^(completed|failed)$/i.test(status)) open.delete(id);
      // A lost job never settles. The comparison reports it.
      const ids = new Set(stored.map(({ id }) => id));
      return [...open].every((id) => !ids.has(id)) && stored;
    });
  }

  async #stored(surface: Exclude<Surface, 'ingest'>): Promise<StoredJob[]> {
    const { bulkfill, subscribers } = this.#callers.of[surface].patient;
    if (surface === 'subscribers') return collect(subscribers.imports());
    return (await collect(bulkfill.list())).map(({ jobId, status }) => ({ id: jobId, status }));
  }

  /** The history of an item has one entry per application. */
  async #items(upserts: readonly Acknowledged[]): Promise<{ lost: number; doubled: number }> {
    const { ingest } = this.#callers.of.ingest.patient;
    const counts = { lost: 0, doubled: 0 };
    const examine = async ({ number, id }: Acknowledged) => {
      const history = await collect(ingest.history('master/uoms', unitOf(number)));
      const { internalId } = await ingest.mapping('master/uoms', unitOf(number));
      if (history.length === 0 || internalId !== id) counts.lost += 1;
      if (history.length > 1) counts.doubled += 1;
    };
    await severalAtOnce(upserts, examine);
    return counts;
  }

  /** An import that was applied twice would have found its own people. */
  async #importsAppliedOtherThanOnce(imports: readonly Acknowledged[]): Promise<number> {
    const { subscribers } = this.#callers.of.subscribers.patient;
    let count = 0;
    await severalAtOnce(imports, async ({ id }) => {
      const { status, createdCount } = await subscribers.getImport(id);
      if (status === 'Completed' && createdCount !== 3) count += 1;
    });
    return count;
  }

  /** The client compares every PDF with the manifest. */
  async #downloadLast(jobs: readonly Acknowledged[]): Promise<void> {
    const { bulkfill } = this.#callers.of.bulkfill.patient;
    const last = jobs.at(-1);
    if (last === undefined) throw new Error('bug: the load created no job');
    if ((await bulkfill.get(last.id)).status !== 'completed') return;
    await bulkfill.download(last.id, join(this.#folder, `${last.number}.zip`));
  }
}
