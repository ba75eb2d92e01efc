import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { schemeNamed } from '../../../test/support/product.ts';
import { guideProgram, judgeReceiver } from '../../../test/support/webhook-guide.ts';
import { webhookHeaders } from './webhook-scheme.ts';

/** The programs of the guide, run as they are printed there. */
const root = join(import.meta.dirname, '../../..');
const secret = `whsec_${Buffer.from('a key of this test').toString('base64')}`;
const body = Buffer.from('{"id":"evt-1","type":"export_job.completed","data":{"note":"grüße ✓"}}');

async function write(file: string, code: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'rp-guide-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  // As if the reader had installed the package the program imports.
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
  await writeFile(join(dir, file), code);
  return join(dir, file);
}

function run(command: string, args: string[], input: Buffer): string {
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  const { stdout, stderr } = spawnSync(command, args, { input, env, encoding: 'utf8' });
  return (stdout + stderr).trim();
}

function available(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

function sign(scheme: 'bulkfill' | 'standard', secrets = [secret]): Record<string, string> {
  const event = { eventId: 'evt-1', type: 'export_job.completed', at: new Date(), body, secrets };
  return { ...webhookHeaders(schemeNamed(scheme), event) };
}

test.skipIf(!available('openssl', 'version'))(
  "[WHK10] the guide's sh program: accepts genuine deliveries and rejects forged ones",
  async () => {
    const path = await write('verify.sh', guideProgram('sh'));
    const { 'x-doqlo-timestamp': time = '', 'x-doqlo-signature': signature = '' } = sign('bulkfill');
    expect(run('sh', [path, time, signature], body)).toBe('genuine');
    expect(run('sh', [path, time, signature], Buffer.from(`${body} `))).toBe('refused');
    expect(run('sh', [path, String(Number(time) + 1), signature], body)).toBe('refused');
    expect(run('sh', [path, time, 'v1=00'], body)).toBe('refused');
  },
);

test("[WHK10] [WHK12] [WHK14] [WHK31] the guide's receiver in Node: accepts only genuine deliveries, and counts an event once", async () => {
  const path = await write('receiver.mjs', guideProgram('receiver-node'));
  await judgeReceiver(process.execPath, [path]);
});

test("[WHK12] [WHK14] the guide's receiver accepts either secret and counts an event once", async () => {
  const path = await write('receiver.mjs', guideProgram('node-standard'));
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  const port = /^port (\d+)$/.exec(await line())?.[1];
  const post = async (headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;

  expect(await post(sign('standard', ['whsec_c29tZWJvZHkgZWxzZQ==']))).toBe(401);
  expect(await post(sign('standard'))).toBe(204);
  expect(await post(sign('standard', ['whsec_dGhlIG5ldyBvbmU=', secret]))).toBe(204);
  expect(await post(sign('bulkfill'))).toBe(204);
  expect(await line()).toBe('new event export_job.completed');
  child.kill();
  expect(await lines.next(), 'the event was counted once').toMatchObject({ done: true });
});
