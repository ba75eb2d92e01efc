import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { startBulkfillServer } from '../support/bulkfill-server.ts';
import { signedIn } from '../support/console-client.ts';
import { countDeadlocks } from '../support/database.ts';
import { IngestClient, startIngest } from '../support/ingest.ts';
import { listAll } from '../support/operator-views.ts';

const CLIENTS = 40;

interface Sent {
  readonly source_id: string;
  readonly source_version: number;
  readonly name: string;
  readonly base_uom: string;
}

const item = fc.record({ key: fc.nat(29), version: fc.integer({ min: 1, max: 60 }), known: fc.nat(9) }).map(
  ({ key, version, known }): Sent => ({
    source_id: `K${key}`,
    source_version: version,
    name: `v${version}`,
    base_uom: known === 0 ? 'NONE' : 'EA',
  }),
);

/** The expected result for any order of requests: per key, the highest version that passes the rules. */
function highest(batches: readonly (readonly Sent[])[]): Map<string, number> {
  const top = new Map<string, number>();
  for (const { source_id, source_version, base_uom } of batches.flat())
    if (base_uom === 'EA') top.set(source_id, Math.max(top.get(source_id) ?? 0, source_version));
  return top;
}

async function sendAll(client: IngestClient, batches: readonly (readonly Sent[])[]) {
  const results: { status: string; source_id: string; version: number }[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < batches.length; at = next++) {
      const batch = batches[at] ?? [];
      const answer = await client.send('/master/skus', batch);
      expect(answer.status, answer.text).toBe(200);
      for (const [i, result] of answer.body.results.entries())
        results.push({ ...result, version: batch[i]?.source_version });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, worker));
  return results;
}

/** An item and the versions of its history, newest first. */
async function readItem(client: IngestClient, id: string) {
  const { status, body } = await client.get(`/master/skus/${id}`);
  if (status === 404) return undefined;
  const history: number[] = [];
  let cursor = '';
  do {
    const page = (await client.get(`/master/skus/${id}/history?limit=100${cursor}`)).body;
    history.push(...page.data.map((entry: { source_version: number }) => entry.source_version));
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
  } while (cursor !== '');
  return { id, version: body.source_version as number, name: body.item.name as string, history };
}

test('[ING19] 500 batches of 40 clients, shuffled and repeated: the highest version wins, once each, without a deadlock', async () => {
  const scene = await startIngest({ workers: 0 });
  const client = await scene.client();
  await client.send('/master/uoms', [{ source_id: 'EA', name: 'Each' }]);
  const generated = fc.sample(fc.array(item, { minLength: 1, maxLength: 25 }), {
    numRuns: 400,
    seed: 20260501,
  });
  const batches = [...generated, ...generated.slice(0, 100)];
  const results = await sendAll(client, batches);

  const items = await Promise.all(Array.from({ length: 30 }, (_, key) => readItem(client, `K${key}`)));
  const stored = items.flatMap((item) => (item === undefined ? [] : [item]));
  expect(new Map(stored.map((item) => [item.id, item.version]))).toEqual(highest(batches));
  for (const { version, name, history } of stored) {
    expect(name).toBe(`v${version}`);
    expect(history).toEqual([...new Set(history)].sort((a, b) => b - a));
  }
  // Every acceptance is one change, and no version of a key was accepted twice.
  const accepted = results.filter((result) => result.status === 'ACCEPTED');
  expect(new Set(accepted.map((result) => `${result.source_id} ${result.version}`)).size).toBe(
    accepted.length,
  );
  expect(stored.reduce((sum, { history }) => sum + history.length, 0)).toBe(accepted.length);
  expect(await countDeadlocks(scene.address)).toBe(0);
  expect(scene.errors).toEqual([]);
});

test('[ING19] loads and upserts of the same new items beside each other: the highest version wins, once each', async () => {
  const server = await startBulkfillServer({ ROWPRESS_WORKERS: '4', ROWPRESS_INGEST_PER_MINUTE: '0' });
  onTestFinished(() => server.stop());
  const account = await server.account({ surface: 'ingest' });
  const client = new IngestClient(server.url, account.key);
  await client.send('/master/uoms', [{ source_id: 'EA', name: 'Each' }]);
  const COUNT = 6_000;
  const numbers = Array.from({ length: COUNT }, (_, i) => i);
  const make = (key: number, version: number): Sent => ({
    source_id: `K${key}`,
    source_version: version,
    name: `v${version}`,
    base_uom: 'EA',
  });
  const loads = [1, 2, 3, 4].map((version) => {
    const order = version % 2 === 0 ? numbers : numbers.toReversed();
    return client.send(
      '/master/skus?mode=bulk',
      order.map((key) => make(key, version)),
    );
  });
  const upserts = Array.from({ length: 30 }, (_, n) =>
    Array.from({ length: 200 }, (_, i) => make((n * 977 + i * 29) % COUNT, 1 + (n % 5))),
  );
  const results = await sendAll(client, upserts);
  const jobs = await Promise.all((await Promise.all(loads)).map(({ body }) => client.ended(body.job_id)));
  for (const { status, summary } of jobs) {
    expect(status).toBe('COMPLETED');
    expect(summary).toMatchObject({ quarantined: 0, rejected: 0 });
    expect(summary.accepted + summary.replay).toBe(COUNT);
  }
  const sent = new Map(numbers.map((key) => [`K${key}`, 4]));
  for (const { source_id, source_version } of upserts.flat())
    if (source_version > 4) sent.set(source_id, source_version);
  const listed = `/ingest/items?account=${account.name}&collection=master/skus`;
  const rows = await listAll<{ source_id: string; source_version: number; changes: number }>(
    await signedIn(server),
    listed,
  );
  expect(new Map(rows.map((row) => [row.source_id, row.source_version]))).toEqual(sent);
  const accepted =
    results.filter((result) => result.status === 'ACCEPTED').length +
    jobs.reduce((sum, job) => sum + job.summary.accepted, 0);
  expect(rows.reduce((sum, row) => sum + row.changes, 0)).toBe(accepted);
  expect(await countDeadlocks({ url: server.env.DATABASE_URL ?? '' })).toBe(0);
});

test('[ING19] [ING14] the same items in any order and repeated: the same final state', async () => {
  const scene = await startIngest({ workers: 0 });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      async (items, order) => {
        run += 1;
        const state = async (partner: string, sequence: readonly Sent[], size: number) => {
          const client = await scene.client({ partner: `${partner}-${run}` });
          await client.send('/master/uoms', [{ source_id: 'EA', name: 'Each' }]);
          for (let at = 0; at < sequence.length; at += size)
            await client.send('/master/skus', sequence.slice(at, at + size));
          const read = await Promise.all(
            [...highest([items]).keys()].sort().map((id) => client.get(`/master/skus/${id}`)),
          );
          return read.map(({ body }) => [body.source_id, body.source_version, body.item.name]);
        };
        const shuffled = [...items, ...items.slice(0, 10)]
          .map((value) => ({ value, at: order.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ value }) => value);
        expect(await state('shuffled', shuffled, 7)).toEqual(await state('plain', items, 100));
      },
    ),
    { numRuns: 8, seed: 7 },
  );
});
