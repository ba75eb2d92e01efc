import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { openArchive } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { authority, certificate } from '../support/webhooks.ts';

const run = promisify(execFile);
const examples = join(import.meta.dirname, '../../examples');

let server: BulkfillServer;
let out: string;
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'rowpress-examples-'));
  server = await startBulkfillServer(
    { ROWPRESS_WEBHOOK_ALLOW: 'hooks.test' },
    { webhookCa: authority.ca, resolve: async () => ['127.0.0.1'] },
  );
});
afterAll(async () => {
  await server.stop();
  await rm(out, { recursive: true, force: true });
});

async function example(name: string, env: Record<string, string> = {}): Promise<string> {
  const { key } = await server.account();
  const { ROWPRESS_SEAL_KEY = '', ROWPRESS_DATA_DIR = '' } = server.env;
  const { stdout } = await run(join(examples, name, 'run.sh'), [join(out, name)], {
    env: {
      PATH: process.env.PATH ?? '',
      ROWPRESS_URL: server.url,
      DOQLO_BF_EXPORT_API_KEY: key,
      ROWPRESS_SEAL_KEY,
      ROWPRESS_DATA_DIR,
      ...env,
    },
  });
  return stdout;
}
const file = (name: string, path: string) => readFile(join(out, name, path), 'utf8');

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe.skipIf(!hasCurl)('examples', () => {
  it('[BF32][BF62] 01: fills a form', async () => {
    expect(await example('01-fill-a-form')).toContain('certificates.zip');
    const { files, manifest } = openArchive(await readFile(join(out, '01-fill-a-form', 'certificates.zip')));
    expect(Object.keys(files)).toEqual([
      'row_1_Alice Nguyen.pdf',
      'row_2_Bruno García.pdf',
      'row_3_Carla Øster.pdf',
      'manifest.json',
    ]);
    expect(manifest.summary).toMatchObject({ success_rows: 3 });
    expect((await pageTexts(files['row_3_Carla Øster.pdf'] ?? new Uint8Array()))[0]).toContain('Carla Øster');
  });

  it('[BF5][BF38][BF39] 02: the documented curl commands, sent again and with another body', async () => {
    await example('02-retry-safely');
    const answer = async (step: string) => {
      const head = await file('02-retry-safely', `${step}.headers`);
      return {
        status: Number(/ (\d{3}) /.exec(head)?.[1]),
        requestId: /^x-request-id: (.*?)\r?$/im.exec(head)?.[1],
        body: JSON.parse(await file('02-retry-safely', `${step}.json`)),
      };
    };
    const first = await answer('1-first');
    expect(first).toMatchObject({
      status: 200,
      requestId: 'support-create-001',
      body: { status: 'completed' },
    });
    expect(await answer('2-replay')).toEqual(first);
    expect(await answer('3-conflict')).toMatchObject({
      status: 409,
      body: {
        code: 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
        message: 'This Idempotency-Key has already been used for a different export request.',
      },
    });
    const named = await answer('4-no-request-id');
    expect(named).toMatchObject({ status: 200, requestId: expect.stringMatching(/^trace-[0-9a-f-]{36}$/) });
    expect(named.body.job_id).not.toBe(first.body.job_id);
    expect((await answer('5-key')).body.job_id).toBe(first.body.job_id);
  });

  it('[BF72] example 03: the receiver gets the webhook', async () => {
    const receiver = await startReceiver(certificate, 200);
    const env = { WEBHOOK_URL: `https://hooks.test:${receiver.port}/`, WEBHOOK_SECRET: 'example secret' };
    await example('03-webhooks', env);
    const job = JSON.parse(await file('03-webhooks', 'job.json'));
    await expect.poll(() => receiver.received).toHaveLength(1);
    const told = JSON.parse(String(receiver.received[0]?.body));
    expect(told).toMatchObject({ event: 'bulkfill.export_job.completed', job_id: job.job_id });
  });

  it('[BF72] the examples: each has a test here', async () => {
    const folders = (await readdir(examples)).filter((name) => /^0[1-3]-/.test(name));
    expect(folders.sort()).toEqual(['01-fill-a-form', '02-retry-safely', '03-webhooks']);
  });
});
