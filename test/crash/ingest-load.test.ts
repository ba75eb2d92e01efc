import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createKey } from '#engine/keys/create-key.ts';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { openDatabase } from '#storage/database.ts';
import { createDatabase } from '../support/database.ts';
import { IngestClient, skus } from '../support/ingest.ts';
import { keyKinds } from '../support/product.ts';
import type { IngestServerOptions } from './ingest-server.ts';

const SCRIPT = fileURLToPath(new URL('ingest-server.ts', import.meta.url));

async function startProcess(options: IngestServerOptions, key: string) {
  const child: ChildProcess = fork(SCRIPT, [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  const died = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  const kill = async () => {
    child.kill('SIGKILL');
    return died;
  };
  onTestFinished(async () => void (await kill()));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port));
    void died.then((how) => reject(new Error(`the server died at start: ${how}`)));
  });
  return { client: new IngestClient(`http://127.0.0.1:${port}`, key), died, kill };
}

async function makeScene() {
  const address = await createDatabase();
  const blobRoot = await mkdtemp(join(tmpdir(), 'rp-ingest-crash-'));
  const database = openDatabase(address, 5, () => {});
  onTestFinished(async () => {
    await database.close();
    await rm(blobRoot, { recursive: true, force: true });
  });
  const made = await createKey(
    { db: database.db, kinds: keyKinds, clock: systemClock, ids: systemIds, plan: 'unlimited' },
    { surface: 'ingest', account: 'demo' },
  );
  if (!made.ok) throw new Error(made.reason);
  return { address, blobRoot, database, key: made.key };
}

test.each([
  [10, 'slice.before-commit', 200_000],
  [3, 'slice.after-commit', 50_000],
] as const)(
  '[ING23] [ING11] killed at pass %i of %s in a load of %i items: the summary adds up, every item once; upserts are all or nothing',
  async (at, point, count) => {
    // One item in a thousand is quarantined, another one rejected.
    const bad = count / 1000;
    const { address, blobRoot, database, key } = await makeScene();
    const doomed = await startProcess({ address, blobRoot, fault: { point, at } }, key);
    await doomed.client.send('/master/uoms', [{ source_id: 'EA', name: 'Each' }]);
    const id = randomUUID();
    const payload = skus(count).map((item, i) =>
      i % 1000 === 1 ? { ...item, base_uom: 'NONE' } : i % 1000 === 2 ? { ...item, name: 1 } : item,
    );
    const body = payload.map((item) => JSON.stringify(item)).join('\n');
    const load = (client: IngestClient) =>
      client.post('/master/skus?mode=bulk', body, { id, type: 'application/x-ndjson' });
    const accepted = await load(doomed.client);
    expect(accepted.body.accepted_items).toBe(count);

    // Upserts run during the load until the process is killed; the last one may have been interrupted anywhere.
    const sent: { id: string; batch: Record<string, unknown>[]; answer?: string }[] = [];
    for (let n = 0; n < 10_000; n += 1) {
      const write = { id: randomUUID(), batch: skus(20, ['EA'], 1_000_000 + n * 20) };
      const answer = await doomed.client
        .send('/master/skus', write.batch, { id: write.id })
        .catch(() => undefined);
      sent.push({ ...write, ...(answer && { answer: answer.text }) });
      if (answer === undefined) break;
    }
    expect(await doomed.died).toBe('SIGKILL');

    const { client } = await startProcess({ address, blobRoot }, key);
    expect((await load(client)).text).toBe(accepted.text);
    for (const { id: correlation, batch, answer } of sent) {
      const again = await client.send('/master/skus', batch, { id: correlation });
      if (answer !== undefined) expect(again.text).toBe(answer);
      expect(again.body.summary.accepted).toBe(20);
    }
    const job = await client.ended(accepted.body.job_id);
    expect(job).toMatchObject({
      status: 'COMPLETED',
      summary: { accepted: count - 2 * bad, replay: 0, quarantined: bad, rejected: bad },
      progress: { processed: count, total: count },
    });
    const results = await client.get(`/jobs/${accepted.body.job_id}/results?format=ndjson`);
    const ids = results.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).source_id);
    expect(ids).toEqual(payload.map((item) => item.source_id));
    const { rows } = await database.pool.query(
      `select count(*)::int as items, max(change)::int as changes from ingest_items where collection = 3`,
    );
    expect(rows).toEqual([{ items: count - 2 * bad + sent.length * 20, changes: 1 }]);
    const history = await database.pool.query('select from ingest_history');
    expect(history.rowCount).toBe(0);
  },
);
