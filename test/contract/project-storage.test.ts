import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BulkfillClient, openScene } from '../support/bulkfill-client.ts';
import { letterPdf, nameLayout, seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { databaseUrl, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { saveProject } from '../support/projects.ts';

const PROJECTS = '/v1/bulkfill/projects';
const create = (client: BulkfillClient, name: string, padding = 0) =>
  saveProject(
    client,
    PROJECTS,
    {
      name,
      // Comments at the end of a PDF change its bytes and nothing else.
      pdf: Buffer.concat([letterPdf, Buffer.from(`\n%${'x'.repeat(padding)}\n`)]),
      doqlo_file: client.usual.doqlo_file,
    },
    { method: 'POST', headers: { 'idempotency-key': randomUUID() } },
  );
const fill = (client: BulkfillClient, project: string) =>
  client.post(JSON.stringify({ project, rows: [{ column_0: randomUUID() }], max_failed_row_percent: 0 }), {
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  });

test('[BLB32] [BF144] projects: count towards the stored bytes of the plan until they are deleted, equal files once', async () => {
  const scene = await openScene({ env: { ROWPRESS_PLANS: '{"small":{"max_stored_bytes":60000}}' } });
  onTestFinished(() => scene.server.stop());
  const small = await scene.another('small');
  const first = await create(small, 'first', 40_000);
  expect(first.status, first.text).toBe(201);
  const second = await create(small, 'second', 30_000);
  expect([second.status, second.body.code]).toEqual([503, 'STORAGE_FULL']);
  expect(second.body.message).toMatch(/^This account stores 4\d{4} bytes and its plan allows 60000\./);
  const path = `${PROJECTS}/${first.body.project_id}`;
  const renamed = await saveProject(small, path, { name: 'renamed' }, { method: 'PUT', headers: {} });
  expect(renamed.body.version).toBe(2);
  expect((await small.fetch(path, { method: 'DELETE' })).status).toBe(204);
  expect((await create(small, 'second', 30_000)).status).toBe(201);
});

test('[TRF1] [TRF2] [BF144] an export with encrypted blobs: contains projects with all versions, and the import fills them', async () => {
  const directory = mkdtempSync('/tmp/rp-projects-');
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const settings = { ROWPRESS_ENCRYPT_BLOBS: 'true' };
  const env = {
    DATABASE_URL: databaseUrl(await createDatabase()),
    ROWPRESS_DATA_DIR: join(directory, 'one'),
    ...settings,
  };
  const order = ['keys', 'create', '--surface', 'bulkfill', '--account', 'acme'];
  const { key, id } = await rowpressJson<{ key: string; id: string }>(order, env);
  const usual = { pdf: letterPdf, doqlo_file: await seal(nameLayout, letterPdf) };
  const clientAt = (url: string) => new BulkfillClient({ url }, { name: 'acme', id, key, keyId: id }, usual);

  const one = await startBulkfillServer(env);
  onTestFinished(() => one.stop());
  const { body: saved } = await create(clientAt(one.url), 'Kept');
  const path = `${PROJECTS}/${saved.project_id}`;
  await saveProject(clientAt(one.url), path, { pdf: letterPdf }, { method: 'PUT', headers: {} });
  await one.stop();
  await rowpressJson(['export', join(directory, 'export')], env);

  const target = {
    DATABASE_URL: databaseUrl(await createDatabase('template0')),
    ROWPRESS_DATA_DIR: join(directory, 'two'),
    ...settings,
  };
  await rowpressJson(['import', join(directory, 'export')], target);
  const two = await startBulkfillServer(target);
  onTestFinished(() => two.stop());
  const client = clientAt(two.url);
  two.clock.advance(2 * 86_400_000);
  await two.sweep();
  for (const project of ['Kept@1', 'Kept']) expect((await fill(client, project)).status).toBe(200);
  const pdf = await client.fetch(`${path}/pdf`);
  expect(new Uint8Array(await pdf.arrayBuffer())).toEqual(new Uint8Array(letterPdf));
  expect((await client.fetch(path, { method: 'DELETE' })).status).toBe(204);
});
