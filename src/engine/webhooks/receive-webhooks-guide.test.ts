import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { schemeNamed } from '../../../test/support/product.ts';
import { webhookHeaders } from './webhook-scheme.ts';

/** The programs of the guide, run as they are printed there. */
const root = join(import.meta.dirname, '../../..');
const guide = readFileSync(join(root, 'docs/guides/receive-webhooks.md'), 'utf8');
const secret = `whsec_${Buffer.from('a key of this test').toString('base64')}`;
const body = Buffer.from('{"id":"evt-1","type":"export_job.completed","data":{"note":"grüße ✓"}}');

function program(name: string): string {
  const marked = new RegExp(`<!-- run: ${name} -->\\s+\`\`\`\\w+\n(?<code>[\\s\\S]*?)\`\`\``);
  const code = marked.exec(guide)?.groups?.code;
  if (code === undefined) throw new Error(`the guide has no program "${name}"`);
  return code;
}

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

function sign(
  scheme: 'bulkfill' | 'standard' | 'ingest',
  secrets = [secret],
  at = new Date(),
): Record<string, string> {
  const event = { eventId: 'evt-1', type: 'export_job.completed', at, body, secrets };
  return { ...webhookHeaders(schemeNamed(scheme), event) };
}

const bulkfillPrograms = [
  { name: 'node', command: process.execPath, file: 'verify.mjs', here: true },
  { name: 'python3', command: 'python3', file: 'verify.py', here: available('python3', '--version') },
  { name: 'sh', command: 'sh', file: 'verify.sh', here: available('openssl', 'version') },
];

for (const { name, command, file, here } of bulkfillPrograms) {
  test.skipIf(!here)(
    `[WHK10] the guide's ${name} program accepts genuine deliveries and rejects forged ones`,
    async () => {
      const path = await write(file, program(name));
      const { 'x-doqlo-timestamp': time = '', 'x-doqlo-signature': signature = '' } = sign('bulkfill');
      expect(run(command, [path, time, signature], body)).toBe('genuine');
      expect(run(command, [path, time, signature], Buffer.from(`${body} `))).toBe('refused');
      expect(run(command, [path, String(Number(time) + 1), signature], body)).toBe('refused');
      expect(run(command, [path, time, 'v1=00'], body)).toBe('refused');
    },
  );
}

test.skipIf(!available('python3', '--version'))(
  "[WHK31] the guide's ingest program: rejects a changed body, a changed time and an old delivery",
  async () => {
    const path = await write('verify.py', program('python3-ingest'));
    const verify = (headers: Readonly<Record<string, string>>, suffix = '', content = body) =>
      run(
        'python3',
        [path, headers['x-fgai-timestamp'] ?? '', headers[`x-fgai-signature-v2${suffix}`] ?? ''],
        content,
      );
    const headers = sign('ingest');
    expect(verify(headers)).toBe('genuine');
    expect(verify(headers, '', Buffer.from('{}'))).toBe('refused');
    const next = String(Number(headers['x-fgai-timestamp']) + 1);
    expect(verify({ ...headers, 'x-fgai-timestamp': next })).toBe('refused');
    const old = new Date(Date.now() - 302_000);
    expect(verify(sign('ingest', [secret], old))).toBe('refused');
    expect(verify(sign('ingest', ['the new secret', secret]), '-previous')).toBe('genuine');
  },
);

test("[WHK12] [WHK14] the guide's receiver accepts either secret and counts an event once", async () => {
  const path = await write('receiver.mjs', program('node-standard'));
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
