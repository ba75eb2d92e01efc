import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Rowpress } from '../../clients/typescript/src/rowpress.ts';
import { databaseUrl, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { FAULTS, startFaultProxy } from '../support/fault-proxy.ts';
import { openArchive } from '../support/fill-cli.ts';
import { ServerProcess } from '../support/server-process.ts';

/** Calls per surface; `.ci/run` makes 500. */
const CALLS = Number(process.env.ROWPRESS_CLIENT_CALLS ?? 25);
const PARALLEL = 12;
const FORM = join(import.meta.dirname, '../../examples/01-fill-a-form');

/** What a call returned: the id of what it made, and its content. */
interface Outcome {
  readonly kind: string;
  readonly id: string;
  readonly value: unknown;
}
interface Counts {
  readonly calls: number;
  readonly duplicates: number;
  readonly lost: number;
  readonly unequal: number;
}

const rowOf = (number: number) => ({ column_0: `Person ${number}`, column_1: `P-${number}` });
const collect = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const element of list) all.push(element);
  return all;
};

/** Runs `act` for every element, `PARALLEL` at a time, and returns the results in order. */
async function inParallel<T, R>(elements: readonly T[], act: (element: T, index: number) => Promise<R>) {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < elements.length; index = next++)
      results[index] = await act(elements[index] as T, index);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}

class Calls {
  readonly #files: { readonly pdf: string; readonly package: string };
  readonly #folder: string;

  constructor(folder: string, files: { pdf: string; package: string }) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Creates a job, waits for it and downloads its ZIP. */
  async bulkfill({ bulkfill }: Rowpress, number: number): Promise<Outcome> {
    const job = await bulkfill.createAndWait({
      ...this.#files,
      rows: [rowOf(number)],
      maxFailedRowPercent: 0,
    });
    const path = join(this.#folder, `${number}.zip`);
    await bulkfill.download(job.jobId, path);
    const { 'row_1.pdf': pdf = new Uint8Array() } = openArchive(await readFile(path)).files;
    return { kind: 'job', id: job.jobId, value: createHash('sha256').update(pdf).digest('hex') };
  }

  /** Seven of ten calls add a person and fail if they exist, two import three people, one exports one person. */
  async subscribers({ subscribers }: Rowpress, number: number): Promise<Outcome> {
    if (number % 10 < 7) {
      const email = `p${number}@x.example`;
      const { id, name } = await subscribers.upsert({ email, name: `Person ${number}`, createOnly: true });
      return { kind: 'person', id, value: name };
    }
    if (number % 10 < 9) {
      const lines = [0, 1, 2].map((line) => `i${number}-${line}@x.example,Import ${number}`);
      const job = await subscribers.importAndWait({
        // Every other import is not UTF-8 and goes through an upload.
        file: Buffer.from(`\uFEFFEmail,Name\n${lines.join('\n')}`, number % 2 === 0 ? 'utf8' : 'utf16le'),
        mappings: [
          { csvColumn: 'Email', field: { type: 'email' } },
          { csvColumn: 'Name', field: { type: 'name' } },
        ],
      });
      return { kind: 'import', id: job.id, value: [job.status, job.createdCount, job.failedCount] };
    }
    const file = await subscribers.exportAndWait({ query: 'nobody@x.example' });
    return {
      kind: 'export',
      id: file.id,
      value: [file.status, (await file.text()).trim().split('\n').length],
    };
  }

  /** Items have no version, so that a second application would show in their history. */
  async ingest({ ingest }: Rowpress, number: number): Promise<Outcome> {
    if (number % 10 < 9) {
      const items = [{ source_id: `u${number}`, name: `Unit ${number}` }];
      const { results, summary } = await ingest.upsert('master/uoms', items);
      return { kind: 'upsert', id: results[0]?.internalId ?? '', value: summary.accepted };
    }
    async function* items() {
      for (let line = 0; line < 20; line += 1)
        yield { source_id: `b${number}-${line}`, name: `Unit ${line}` };
    }
    const load = await ingest.bulkAndWait('master/uoms', items());
    return { kind: 'bulk', id: load.jobId, value: load.summary.accepted };
  }

  /** Everything that the server has stored, read without faults. */
  async checkBulkfill(rp: Rowpress, other: Rowpress, outcomes: readonly Outcome[]): Promise<Counts> {
    const stored = (await collect(rp.bulkfill.list())).map(({ jobId }) => jobId);
    const rows = outcomes.map((_, number) => rowOf(number));
    const job = await other.bulkfill.createAndWait({ ...this.#files, rows, maxFailedRowPercent: 0 });
    const { rowResults } = await other.bulkfill.manifest(job.jobId);
    return count(outcomes, stored, (outcome, number) => outcome.value === rowResults[number]?.sha256);
  }

  async checkSubscribers({ subscribers }: Rowpress, outcomes: readonly Outcome[]): Promise<Counts> {
    const people = await collect(subscribers.list());
    const jobs = [...(await collect(subscribers.imports())), ...(await collect(subscribers.exports()))];
    const stored = [...jobs, ...people.filter(({ email }) => email.startsWith('p'))].map(({ id }) => id);
    const imported = people.filter(({ email }) => email.startsWith('i')).map(({ email }) => email);
    const expected = { import: ['Completed', 3, 0], export: ['Completed', 1] };
    return count(outcomes, stored, ({ kind, value }, number) => {
      if (kind === 'person') return value === `Person ${number}`;
      const complete = [0, 1, 2].every((line) => imported.includes(`i${number}-${line}@x.example`));
      return String(value) === String(expected[kind as 'import']) && (kind === 'export' || complete);
    });
  }

  async checkIngest({ ingest }: Rowpress, outcomes: readonly Outcome[]): Promise<Counts> {
    const applied = async (sourceId: string) =>
      (await collect(ingest.history('master/uoms', sourceId))).length;
    const twice = new Set<number>();
    const stored = await inParallel(outcomes, async ({ kind, id }, number) => {
      const ids =
        kind === 'bulk' ? Array.from({ length: 20 }, (_, line) => `b${number}-${line}`) : [`u${number}`];
      for (const sourceId of ids) if ((await applied(sourceId)) !== 1) twice.add(number);
      if (kind === 'bulk') return (await ingest.get(id)).jobId;
      return (await ingest.mapping('master/uoms', `u${number}`)).internalId;
    });
    const wanted = (kind: string) => (kind === 'bulk' ? 20 : 1);
    const counted = count(outcomes, stored, ({ kind, value }) => value === wanted(kind));
    return { ...counted, duplicates: counted.duplicates + twice.size };
  }
}

function count(
  outcomes: readonly Outcome[],
  stored: readonly string[],
  isEqual: (outcome: Outcome, number: number) => boolean,
): Counts {
  const returned = new Set(outcomes.map(({ id }) => id));
  return {
    calls: outcomes.length,
    duplicates: stored.filter((id) => !returned.has(id)).length + stored.length - new Set(stored).size,
    lost: outcomes.length - [...returned].filter((id) => stored.includes(id)).length,
    unequal: outcomes.filter((outcome, number) => !isEqual(outcome, number)).length,
  };
}

test(`[SDK16] ${CALLS} calls per surface through faults and kill -9: each takes effect exactly once`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowpress-faults-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = {
    ROWPRESS_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: databaseUrl(await createDatabase()),
    ROWPRESS_SYNC_WAIT_MS: '2000',
    ROWPRESS_CONNECTIONS_PER_ADDRESS: '1000',
    ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '0',
    ROWPRESS_BULKFILL_READ_PER_MINUTE: '0',
    ROWPRESS_BULKFILL_DOWNLOAD_PER_MINUTE: '0',
    ROWPRESS_SUBSCRIBERS_PER_MINUTE: '0',
    ROWPRESS_INGEST_PER_MINUTE: '0',
  };
  let server = await ServerProcess.start(env);
  onTestFinished(() => server.stop());
  const keyOf = async (surface: string, account = 'faults') => {
    const args = ['keys', 'create', '--surface', surface, '--account', account];
    return (await rowpressJson<{ key: string }>(args, env)).key;
  };
  const files = { pdf: join(FORM, 'form.pdf'), package: join(folder, 'form.doqlo') };
  const layout = ['--layout', join(FORM, 'layout.json'), '--pdf', files.pdf, '-o', files.package];
  await rowpressJson(['layout', 'seal', ...layout], env);
  const proxy = await startFaultProxy({ target: server.url, seed: 20_261_118, rate: 0.3 });
  onTestFinished(() => proxy.close());
  const keys = {
    bulkfill: await keyOf('bulkfill'),
    subscribers: await keyOf('subscribers'),
    ingest: await keyOf('ingest'),
  };
  // More retries than by default: a killed server takes a while to return on a busy machine.
  const client = (baseUrl: string, apiKey: string) =>
    new Rowpress({ baseUrl, apiKey, timeoutMs: 3_000, retries: 12 });

  const calls = new Calls(folder, files);
  const started = performance.now();
  const surfaces = ['bulkfill', 'subscribers', 'ingest'] as const;
  const total = CALLS * surfaces.length;
  const killAt = (CALLS < 200 ? [0.4] : [0.2, 0.5, 0.8]).map((part) => Math.round(part * total));
  let ended = 0;
  let kills = 0;
  let restarting = Promise.resolve();
  const killSometimes = () => {
    ended += 1;
    if (ended !== killAt[kills]) return;
    kills += 1;
    restarting = restarting.then(async () => {
      await server.kill();
      server = await ServerProcess.start(env);
      proxy.change({ target: server.url });
    });
  };
  const run = async (surface: (typeof surfaces)[number]): Promise<Outcome[]> => {
    const rp = client(proxy.url, keys[surface]);
    return inParallel(Array.from({ length: CALLS }), async (_, number) => {
      const outcome = await calls[surface](rp, number);
      killSometimes();
      return outcome;
    });
  };
  const [bulkfill = [], subscribers = [], ingest = []] = await Promise.all(surfaces.map(run));
  await restarting;
  const seconds = Math.round((performance.now() - started) / 1000);

  const direct = (surface: (typeof surfaces)[number]) => client(server.url, keys[surface]);
  const reference = client(server.url, await keyOf('bulkfill', 'reference'));
  const table = {
    bulkfill: await calls.checkBulkfill(direct('bulkfill'), reference, bulkfill),
    subscribers: await calls.checkSubscribers(direct('subscribers'), subscribers),
    ingest: await calls.checkIngest(direct('ingest'), ingest),
  };
  const report = proxy.report();
  console.log(`TypeScript client under faults: ${seconds} s, ${kills} × kill -9`);
  console.table(table);
  console.table({ requests: report.requests, unreachable: report.unreachable, ...report.counts });
  const exact = { calls: CALLS, duplicates: 0, lost: 0, unequal: 0 };
  expect(table).toEqual({ bulkfill: exact, subscribers: exact, ingest: exact });
  expect(kills).toBe(killAt.length);
  for (const fault of FAULTS) expect(report.counts[fault], fault).toBeGreaterThan(0);
}, 600_000);
