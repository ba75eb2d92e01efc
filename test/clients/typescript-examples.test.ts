import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { webhookHeaders } from '#engine/webhooks/webhook-scheme.ts';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { openArchive } from '../support/fill-cli.ts';
import { schemeNamed } from '../support/product.ts';
import { pageTexts, readFields } from '../support/read-pdf.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
let server: BulkfillServer;
let folder: string;

/** The examples beside an installed client, as a user has them. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowpress-examples-'));
  const client = join(folder, 'node_modules/@rowpress/client');
  await mkdir(client, { recursive: true });
  await cp(join(root, 'clients/typescript/package.json'), join(client, 'package.json'));
  await run(process.execPath, [join(root, 'clients/typescript/build.ts'), join(client, 'dist')]);
  await cp(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
  await symlink(join(root, 'node_modules/fastify'), join(folder, 'node_modules/fastify'));
  server = await startBulkfillServer();
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the last command of the example's README, after the seal. */
async function example(name: string): Promise<string> {
  const readme = await readFile(join(root, 'examples', name, 'README.md'), 'utf8');
  const [, sealArgs = ''] = /^bin\/rowpress (layout seal .*)$/m.exec(readme) ?? [];
  const [, program = '', ...paths] = /^npx node (\S+\.ts) (\S+) (\S+)$/m.exec(readme) ?? [];
  const here = (path: string) => path.replace('/tmp/', `${folder}/`);
  const env = {
    PATH: process.env.PATH,
    ROWPRESS_URL: server.url,
    ROWPRESS_SEAL_KEY: server.env.ROWPRESS_SEAL_KEY,
    ROWPRESS_DATA_DIR: server.env.ROWPRESS_DATA_DIR,
  };
  await run(join(root, 'bin/rowpress'), here(sealArgs).split(' '), { cwd: root, env });
  const keyOf = async (surface: string, scopes?: string[]) =>
    (await server.account({ name: `example-${name}`, surface, scopes })).key;
  const keys = {
    BULKFILL_KEY: await keyOf('bulkfill', ['read:subscribers']),
    SUBSCRIBERS_KEY: await keyOf('subscribers'),
    INGEST_KEY: await keyOf('ingest'),
  };
  const args = [program, ...paths.map(here)];
  const { stdout } = await run(process.execPath, args, { cwd: folder, env: { ...env, ...keys } });
  return stdout;
}
const archive = async (path: string) => openArchive(await readFile(join(folder, path)));

test('[SDK22] certificates: one PDF per person', async () => {
  expect(await example('certificates')).toContain('row_3_Łucja Wiśniewska.pdf\n');
  const { files } = await archive('certificates/certificates.zip');
  const [text = ''] = await pageTexts(files['row_3_Łucja Wiśniewska.pdf'] ?? new Uint8Array());
  expect(text).toContain('9 October 2026');
});

test('[SDK22] shipping labels: one per shipment, and one shipment is quarantined', async () => {
  const said = await example('shipping-labels');
  expect(said).toContain('quarantined 340123450000000048');
  expect(said).toContain('3 labels');
  const { files } = await archive('labels/labels.zip');
  const [text = ''] = await pageTexts(files['row_2_340123450000000024.pdf'] ?? new Uint8Array());
  for (const part of ['13001 Marseille', 'FRANCE', '20 × Yeast, 1 kg']) expect(text).toContain(part);
});

test('[SDK22] permit form: native fields are filled, and the dry run names the option that does not exist', async () => {
  expect(await example('permit-form')).toContain('row 3, Zone: The field permit.zone has no such option');
  const { files } = await archive('permits/permits.zip');
  const fields = await readFields(files['row_2_Jonas Berg.pdf'] ?? new Uint8Array());
  expect(fields).toMatchObject({ 'applicant.name': 'Jonas Berg' });
});

test('[SDK22] letters: one per active subscriber', async () => {
  const said = await example('letters');
  expect(said).toContain('3 imported, 1 failed');
  expect(said).toContain('3 letters');
  expect((await archive('letters/letters.zip')).manifest.summary).toMatchObject({ success_rows: 3 });
});

// `.ci/run` installs Express for this test; the repository does not depend on it.
const express = process.env.ROWPRESS_EXPRESS ?? '';
const receivers = [
  { name: 'fastify.ts', modules: '' },
  ...(express === '' ? [] : [{ name: 'express.mjs', modules: express }]),
];
test.each(receivers)(
  '[SDK22] the receiver $name: accepts genuine webhooks of all schemes once, and rejects others',
  async ({ name, modules }) => {
    if (modules !== '') await cp(modules, join(folder, 'node_modules'), { recursive: true });
    const secrets = { BULKFILL_SECRET: 'one', SUBSCRIBERS_SECRET: 'two', INGEST_SECRET: 'three' };
    const child = spawn(process.execPath, [join('examples/webhook-receivers', name)], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: '0', ...secrets },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const said: string[] = [];
    const lines = createInterface(child.stdout).on('line', (line) => said.push(line));
    const [first] = (await once(lines, 'line')) as [string];
    const url = first.replace('listening at ', '');
    const send = async (scheme: string, secret: string) => {
      const id = `e-${scheme}`;
      const body = Buffer.from(JSON.stringify({ id, event_id: id, type: 'x.done', event: 'x.done' }));
      const signer = schemeNamed(scheme === 'subscribers' ? 'standard' : scheme);
      const event = { eventId: id, type: 'x.done', at: new Date(), body, secrets: [secret] };
      const headers = webhookHeaders(signer, event);
      return (await fetch(`${url}/hooks/${scheme}`, { method: 'POST', headers, body })).status;
    };
    for (const [scheme, secret] of Object.entries({ bulkfill: 'one', subscribers: 'two', ingest: 'three' })) {
      expect(await send(scheme, secret)).toBe(204);
      expect(await send(scheme, secret)).toBe(204);
      expect(await send(scheme, 'wrong')).toBe(401);
    }
    await expect
      .poll(() => said.slice(1))
      .toEqual(['x.done e-bulkfill', 'x.done e-subscribers', 'x.done e-ingest']);
  },
);
