import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { rowpressJson } from '../support/cli.ts';
import { FAULTS, startFaultProxy } from '../support/fault-proxy.ts';
import { folderWith, hasPython, runPython, startPython } from '../support/python.ts';
import { ServerProcess } from '../support/server-process.ts';

const CALLS = 500;
/** The server is killed when this many of the 1,500 calls have ended. */
const KILLS = [250, 700, 1_150];

const FORM = join(import.meta.dirname, '../../examples/01-fill-a-form');

test.skipIf(!hasPython)(
  '[SDK61] 500 calls per surface through a faulty network and a killed server: each takes effect once',
  async () => {
    const files = await folderWith({});
    onTestFinished(files.remove);
    // A short path: the socket of the embedded PostgreSQL is below it.
    const dataDir = await mkdtemp('/tmp/rp-faults-');
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const env = {
      ROWPRESS_DATA_DIR: dataDir,
      ROWPRESS_SYNC_WAIT_MS: '2000',
      ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '0',
      ROWPRESS_BULKFILL_READ_PER_MINUTE: '0',
      ROWPRESS_BULKFILL_DOWNLOAD_PER_MINUTE: '0',
      ROWPRESS_SUBSCRIBERS_PER_MINUTE: '0',
      ROWPRESS_INGEST_PER_MINUTE: '0',
    };
    let server = await ServerProcess.start(env);
    onTestFinished(() => server.stop());
    const keyOf = async (surface: string, account: string) =>
      (
        await rowpressJson<{ key: string }>(
          ['keys', 'create', '--surface', surface, '--account', account],
          env,
        )
      ).key;
    const sealed = join(files.path, 'form.doqlo');
    const [pdf, layout] = ['form.pdf', 'layout.json'].map((name) => join(FORM, name)) as [string, string];
    await rowpressJson(['layout', 'seal', '--layout', layout, '--pdf', pdf, '-o', sealed], env);
    const proxy = await startFaultProxy({ target: server.url, seed: 20_261_118, rate: 0.3 });
    onTestFinished(() => proxy.close());
    const settings = {
      ROWPRESS_TEST_CALLS: String(CALLS),
      ROWPRESS_TEST_PROXY: proxy.url,
      ROWPRESS_TEST_PDF: pdf,
      ROWPRESS_TEST_PACKAGE: sealed,
      ROWPRESS_TEST_KEY_BULKFILL: await keyOf('bulkfill', 'faults'),
      ROWPRESS_TEST_KEY_SUBSCRIBERS: await keyOf('subscribers', 'faults'),
      ROWPRESS_TEST_KEY_INGEST: await keyOf('ingest', 'faults'),
      ROWPRESS_TEST_KEY_REFERENCE: await keyOf('bulkfill', 'reference'),
    };

    const started = performance.now();
    const run = startPython(['-m', 'tests.faults', 'run'], settings);
    onTestFinished(() => void run.kill());
    run.stdin.end();
    let said = '';
    run.stderr.on('data', (chunk) => {
      said += chunk;
    });
    let results = '';
    let kills = 0;
    let restarting = Promise.resolve();
    for await (const line of createInterface(run.stdout)) {
      const done = Number(/^done (\d+)$/.exec(line)?.[1] ?? 0);
      if (done === 0) results = line;
      if (done !== KILLS[kills]) continue;
      kills += 1;
      restarting = restarting.then(async () => {
        await server.kill();
        server = await ServerProcess.start(env);
        proxy.change({ target: server.url });
      });
    }
    await restarting;
    expect(said, 'standard error of the client').toBe('');
    const seconds = Math.round((performance.now() - started) / 1_000);
    const checked = await runPython(
      ['-m', 'tests.faults', 'check'],
      { ...settings, ROWPRESS_TEST_URL: server.url },
      { input: results },
    );
    expect(checked.stderr).toBe('');
    const table = JSON.parse(checked.stdout) as Record<string, object>;
    const report = proxy.report();
    console.log(`Python client under faults, ${seconds} s, ${kills} × kill -9`);
    console.table(table);
    console.table({ requests: report.requests, unreachable: report.unreachable, ...report.counts });
    const exact = { calls: CALLS, duplicates: 0, lost: 0, unequal: 0 };
    expect(table).toEqual({ bulkfill: exact, subscribers: exact, ingest: exact });
    expect(kills).toBe(KILLS.length);
    for (const fault of FAULTS) expect(report.counts[fault], fault).toBeGreaterThan(0);
  },
  600_000,
);
