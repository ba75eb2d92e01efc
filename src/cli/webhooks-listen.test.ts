import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { postWebhook } from '#engine/webhooks/post-webhook.ts';
import { webhookHeaders } from '#engine/webhooks/webhook-scheme.ts';
import { schemeNamed } from '../../test/support/product.ts';
import { authority, certificate } from '../../test/support/webhooks.ts';

interface Running {
  readonly url: string;
  /** The next line on stdout. */
  line(): Promise<string>;
  ended(): Promise<number | null>;
  readonly child: ChildProcess;
}

async function listen(...args: string[]): Promise<Running> {
  const main = `import { webhooksCommand } from ${JSON.stringify(join(import.meta.dirname, 'webhooks-listen.ts'))};
    await webhooksCommand().parseAsync(process.argv.slice(1), { from: 'user' });`;
  const child = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    main,
    '--',
    'listen',
    '--port',
    '0',
    ...args,
  ]);
  const exit = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  let errors = '';
  for await (const chunk of child.stderr) {
    errors += chunk;
    const url = /Listening on (\S+)/.exec(errors)?.[1];
    if (url !== undefined) return { url, line, child, ended: async () => (await exit)[0] };
  }
  throw new Error(`did not start: ${errors}`);
}

const body = Buffer.from('{"event":"import_job.completed","note":"✓"}');
const event = { eventId: 'e-1', type: 'import_job.completed', body, secrets: ['s3cret'] };

function deliver(url: string, scheme: 'bulkfill' | 'standard' | 'ingest', secret = 's3cret') {
  const headers = webhookHeaders(schemeNamed(scheme), { ...event, at: new Date(), secrets: [secret] });
  return fetch(`${url}/hook`, { method: 'POST', headers: { ...headers }, body });
}

test('[WHK22] all three schemes: verified, with the requested status, and repeated events are marked', async () => {
  const running = await listen('--secret', 's3cret', '--status', '503', '--json', '--count', '3');
  for (const [i, scheme] of (['bulkfill', 'standard', 'ingest'] as const).entries()) {
    expect((await deliver(running.url, scheme)).status).toBe(503);
    expect(JSON.parse(await running.line())).toMatchObject({
      path: '/hook',
      scheme,
      event: 'import_job.completed',
      event_id: 'e-1',
      repeated: i > 0,
      verified: true,
      reason: null,
      answered: 503,
      body: body.toString(),
    });
  }
  expect(await running.ended()).toBe(0);
});

test('[WHK22] a wrong signature: 401 and exit code 1', async () => {
  const running = await listen('--secret', 's3cret', '--scheme', 'ingest', '--count', '2');
  expect((await deliver(running.url, 'ingest', 'wrong')).status).toBe(401);
  expect(await running.line()).toContain('import_job.completed  e-1');
  expect(await running.line()).toBe(
    '  REFUSED: the signature does not match the body and secret; answered 401',
  );
  expect((await deliver(running.url, 'standard')).status).toBe(401);
  expect(await running.ended()).toBe(1);
});

test('[WHK22] without a secret: every delivery is shown, and an interrupt exits with 0', async () => {
  const running = await listen('--json');
  expect((await fetch(running.url, { method: 'POST', body: 'not json' })).status).toBe(200);
  expect(JSON.parse(await running.line())).toMatchObject({
    verified: null,
    scheme: null,
    event: null,
    body: 'not json',
  });
  expect((await fetch(running.url, { method: 'POST', body: 'x'.repeat(1_000_001) })).status).toBe(413);
  running.child.kill('SIGINT');
  expect(await running.ended()).toBe(0);
});

test('[WHK22] with TLS: the server itself can deliver to it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'rp-listen-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const [certFile, keyFile] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  writeFileSync(certFile, certificate.cert);
  writeFileSync(keyFile, certificate.key);
  const running = await listen(
    '--cert',
    certFile,
    '--key',
    keyFile,
    '--secret',
    's3cret',
    '--json',
    '--count',
    '1',
  );
  const { port } = new URL(running.url);
  const headers = webhookHeaders(schemeNamed('bulkfill'), { ...event, at: new Date() });
  const result = await postWebhook(
    { url: `https://hooks.test:${port}/`, headers, body },
    {
      allow: { covers: () => true },
      resolve: async () => ['127.0.0.1'],
      timeoutMs: 10_000,
      ca: authority.ca,
    },
  );
  expect(result).toMatchObject({ ok: true, status: 200 });
  expect(JSON.parse(await running.line())).toMatchObject({ verified: true, scheme: 'bulkfill' });
  expect(await running.ended()).toBe(0);
});
