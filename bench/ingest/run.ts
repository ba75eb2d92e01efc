/**
 * Compares ingest with the bare database, in one run on one PostgreSQL (fsync on, as the product starts it):
 *   node bench/ingest/run.ts [items] [--write] [flags]   default 1,000,000; flags are Node.js flags of the server
 * Rates run from the first byte of the upload to COMPLETED, so they include upload, validation and results.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createKey } from '#engine/keys/create-key.ts';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { keyKindsOf } from '#main/registries.ts';
import { surfaces } from '#main/surfaces.ts';
import { openMigratedDatabase } from '#storage/open-migrated-database.ts';
import { bareCopyMerge, bareCopyUpdate, bareUpsert, createBareTable } from './bare.ts';
import { readLoad, writePage } from './results-page.ts';

const isOption = (text: string) => text.startsWith('-');
const options = process.argv.slice(2).filter(isOption);
const TOTAL = Number(process.argv.slice(2).find((text) => !isOption(text)) ?? 1_000_000);
const flags = options.filter((option) => option !== '--write');
/** The flags of bin/rowpress. */
const serverFlags = flags.length > 0 ? flags : ['--max-semi-space-size=16'];
const loadBefore = readLoad();
const BATCH = 20_000;
/** A client that polls more often would take processor time from the server. */
const POLL_MS = 20;
const dir = await mkdtemp(join(tmpdir(), 'rp-bench-'));
const log = { info() {}, warn: console.error, error: console.error } as never;
const storage = await openMigratedDatabase(
  { dataDir: dir, databaseUrl: undefined, databaseDirectUrl: undefined, databasePool: 4 },
  log,
);
const { database } = storage;
const made = await createKey(
  { db: database.db, kinds: keyKindsOf(surfaces), clock: systemClock, ids: systemIds, plan: 'unlimited' },
  { surface: 'ingest', account: 'bench' },
);
if (!made.ok) throw new Error('no key');

const child = fork(
  fileURLToPath(new URL('../../test/crash/ingest-server.ts', import.meta.url)),
  [JSON.stringify({ address: storage.directAddress, blobRoot: join(dir, 'blobs'), workers: 2 })],
  { execArgv: serverFlags },
);
const port = await new Promise<number>((resolve) =>
  child.once('message', (message: { port: number }) => resolve(message.port)),
);
const api = `http://127.0.0.1:${port}/wms-ingest/v1`;
const headers = (type: string) => ({
  authorization: `Bearer ${made.key}`,
  'x-correlation-id': randomUUID(),
  'content-type': type,
});

const sku = (i: number, version: number) => ({
  source_id: `SKU-${String(i).padStart(9, '0')}`,
  source_version: version,
  name: `Article number ${i}`,
  base_uom: 'EA',
  description: `What article ${i} is good for, in a few words`,
  lot_tracked: i % 2 === 0,
});
const canonical = (i: number) => {
  const { source_version: _v, ...item } = sku(i, 1);
  return JSON.stringify({ ...item, serial_tracked: false });
};

async function post(path: string, body: unknown): Promise<Response> {
  const response = await fetch(api + path, {
    method: 'POST',
    headers: headers('application/json'),
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

async function load(from: number, count: number, version: number): Promise<number> {
  async function* lines() {
    for (let i = from; i < from + count; ) {
      const end = Math.min(from + count, i + 1000);
      let text = '';
      for (; i < end; i += 1) text += `${JSON.stringify(sku(i, version))}\n`;
      yield Buffer.from(text);
    }
  }
  const started = performance.now();
  const response = await fetch(`${api}/master/skus?mode=bulk`, {
    method: 'POST',
    headers: headers('application/x-ndjson'),
    body: Readable.toWeb(Readable.from(lines())) as never,
    duplex: 'half',
  } as RequestInit);
  const { status_url } = (await response.json()) as { status_url: string };
  const uploaded = performance.now();
  for (;;) {
    const job = (await (
      await fetch(`http://127.0.0.1:${port}${status_url}`, { headers: headers('application/json') })
    ).json()) as { status: string; summary: Record<string, number> };
    if (job.status === 'COMPLETED') {
      console.log(`    upload ${((uploaded - started) / 1000).toFixed(1)} s, ${JSON.stringify(job.summary)}`);
      return performance.now() - started;
    }
    if (job.status === 'FAILED') throw new Error(JSON.stringify(job));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function bareBatches(from: number, count: number, version: number): Buffer[] {
  const batches: Buffer[] = [];
  for (let i = from; i < from + count; ) {
    const end = Math.min(from + count, i + BATCH);
    let text = '';
    for (; i < end; i += 1) text += `SKU-${String(i).padStart(9, '0')}\t${version}\t${canonical(i)}\n`;
    batches.push(Buffer.from(text));
  }
  return batches;
}

const rss = (process: ChildProcess) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) / 1024;
const perSecond = (count: number, ms: number) => Math.round((count / ms) * 1000);
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

async function syncPair(client: import('pg').PoolClient, stored: number): Promise<string> {
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const base = 100_000_000 + stored * 10 + round * 1000;
    const ids = Array.from({ length: 1000 }, (_, i) => base + i);
    const columns: [string[], number[], string[]] = [
      ids.map((i) => `SKU-${String(i).padStart(9, '0')}`),
      ids.map(() => 1),
      ids.map(canonical),
    ];
    const a = performance.now();
    await bareUpsert(client, 'bare_items', columns);
    bare.push(performance.now() - a);
    const body = { items: ids.map((i) => sku(i, 1)) };
    const b = performance.now();
    await post('/master/skus', body);
    ours.push(performance.now() - b);
  }
  const [x, y] = [median(bare), median(ours)];
  return `| sync upsert of 1,000 with ${stored.toLocaleString('en')} stored | ${x.toFixed(1)} ms | ${y.toFixed(1)} ms | ${(y / x).toFixed(2)} × |`;
}

/** Milliseconds of both sides. Half of the bare side runs before and half after, so that other load affects both equally. */
async function bulkPair(
  client: import('pg').PoolClient,
  range: readonly [from: number, count: number, version: number],
): Promise<{ bare: number; ours: number }> {
  const write = range[2] === 1 ? bareCopyMerge : bareCopyUpdate;
  const timed = async (batches: Buffer[]) => {
    const started = performance.now();
    await write(client, 'bare_items', batches);
    return performance.now() - started;
  };
  const batches = bareBatches(...range);
  const half = Math.ceil(batches.length / 2);
  const before = await timed(batches.slice(0, half));
  const ours = await load(...range);
  return { bare: before + (await timed(batches.slice(half))), ours };
}

function bulkRow(name: string, count: number, { bare, ours }: { bare: number; ours: number }): string {
  const rate = (ms: number) => `${perSecond(count, ms).toLocaleString('en')}/s`;
  return `| ${name} | ${rate(bare)} | ${rate(ours)} | ${((bare / ours) * 100).toFixed(0)} % |`;
}

/** Loads 10,000 new items several times, on a server and a database that have run before. */
async function smallLoads(client: import('pg').PoolClient): Promise<string> {
  const pairs: { bare: number; ours: number }[] = [];
  for (let round = 0; round < 9; round += 1)
    pairs.push(await bulkPair(client, [200_000_000 + round * 10_000, 10_000, 1]));
  const middle = (of: 'bare' | 'ours') => median(pairs.map((pair) => pair[of]));
  return bulkRow('bulk of 10,000, median of 9', 10_000, { bare: middle('bare'), ours: middle('ours') });
}

/** Share of updates that changed no index, in percent. */
async function hotShare(client: import('pg').PoolClient): Promise<number> {
  const { rows } = await client.query(
    `select 100.0 * n_tup_hot_upd / greatest(n_tup_upd, 1) as share from pg_stat_user_tables where relname = 'ingest_items'`,
  );
  return Number(rows[0]?.share);
}

const rows: string[] = [];
const client = await database.pool.connect();
try {
  await createBareTable(client, 'bare_items');
  await post('/master/uoms', { items: [{ source_id: 'EA', name: 'Each' }] });
  const steps = [10_000, Math.round(TOTAL * 0.09), TOTAL - 10_000 - Math.round(TOTAL * 0.09)].filter(
    (n) => n > 0,
  );
  let from = 0;
  const report = (row: string) => {
    rows.push(row);
    console.log(row);
  };
  for (const count of steps) {
    const pair = await bulkPair(client, [from, count, 1]);
    from += count;
    const name = `bulk of ${count.toLocaleString('en')} (then ${from.toLocaleString('en')} stored)`;
    report(bulkRow(name, count, pair));
    report(await syncPair(client, from));
  }
  report(await smallLoads(client));
  const some = Math.min(TOTAL, 200_000);
  const again = await load(0, some, 1);
  report(
    `| bulk replay of ${some.toLocaleString('en')} | – | ${perSecond(some, again).toLocaleString('en')}/s | |`,
  );
  await client.query('analyze bare_items');
  const update = await bulkPair(client, [0, some, 2]);
  const hot = (await hotShare(client)).toFixed(0);
  report(bulkRow(`bulk update of ${some.toLocaleString('en')}, with history (${hot} % HOT)`, some, update));
  rows.push(`| memory of the server (VmHWM) | | ${rss(child).toFixed(0)} MB | |`);
} finally {
  client.release();
  child.send('stop');
  await new Promise((resolve) => child.once('exit', resolve));
  await storage.close();
  await rm(dir, { recursive: true, force: true });
}
if (options.includes('--write'))
  writePage({ items: TOTAL, serverFlags, load: [loadBefore, readLoad()], rows });
console.log(`\n| | bare | Rowpress | ratio |\n|---|---|---|---|\n${rows.join('\n')}`);
