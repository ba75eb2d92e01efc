import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BulkfillClient, goodRows, rowsJson } from '../support/bulkfill-client.ts';
import { letterPdf, nameLayout, seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { databaseUrl, rowpress, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';

const SECRET = 'ab'.repeat(32);
const ON = { ROWPRESS_ENCRYPT_BLOBS: 'true' };

function temporaryDir(): string {
  const directory = mkdtempSync('/tmp/rp-encrypted-');
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function emptyInstallation(env: Record<string, string> = {}) {
  const url = databaseUrl(await createDatabase('template0'));
  return { DATABASE_URL: url, ROWPRESS_DATA_DIR: join(temporaryDir(), 'data'), ...env };
}

async function server(env: Record<string, string>) {
  const running = await startBulkfillServer(env);
  onTestFinished(() => running.stop());
  return running;
}

/** An installation with one finished job and encrypted blobs. Its server has stopped. */
async function filledInstallation(secret: Record<string, string> = {}) {
  const env = {
    DATABASE_URL: databaseUrl(await createDatabase()),
    ROWPRESS_DATA_DIR: temporaryDir(),
    ...secret,
    ...ON,
  };
  const running = await server(env);
  const create = ['keys', 'create', '--surface', 'bulkfill', '--account', 'acme'];
  const { key, id } = await rowpressJson<{ key: string; id: string }>(create, env);
  const usual = {
    pdf: letterPdf,
    doqlo_file: await seal(nameLayout, letterPdf),
    max_failed_row_percent: '0',
    rows_json: rowsJson(goodRows(20)),
  };
  const clientAt = (url: string) => new BulkfillClient({ url }, { name: 'acme', id, key, keyId: id }, usual);
  const { body } = await clientAt(running.url).create();
  const download = async (url: string) => {
    const response = await clientAt(url).fetch(`/v1/bulkfill/export-jobs/${body.job_id}/download`);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };
  const zip = await download(running.url);
  await running.stop();
  return { env, zip, download, clientAt };
}

const blobsIn = (directory: string) =>
  readdirSync(join(directory, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

test.each([{}, { ROWPRESS_SECRET_KEY: SECRET }])(
  '[SEC23] an export of encrypted blobs, with the settings %o: is encrypted still, and can be read after an import',
  async (secret) => {
    const { env, zip, download, clientAt } = await filledInstallation(secret);
    const [plain, sealed] = [join(temporaryDir(), 'export'), join(temporaryDir(), 'export')];
    const passphraseFile = join(temporaryDir(), 'passphrase');
    writeFileSync(passphraseFile, 'correct horse battery');
    await rowpressJson(['export', plain], env);
    await rowpressJson(['export', sealed, '--passphrase-file', passphraseFile], env);
    expect(blobsIn(plain).length).toBeGreaterThan(3);
    for (const path of blobsIn(plain)) expect(path).toMatch(/\/[0-9a-f]{64}-[0-9a-f]{16}$/);
    for (const directory of [plain, sealed])
      for (const path of blobsIn(directory)) expect(readFileSync(path).includes('%PDF-')).toBe(false);

    for (const options of [[plain], [sealed, '--passphrase-file', passphraseFile]]) {
      const target = await emptyInstallation(secret);
      await rowpressJson(['import', ...options], target);
      const running = await server({ ...target, ...ON });
      expect((await download(running.url)).equals(zip)).toBe(true);
      // The account keeps its data key: identical inputs produce identical blobs.
      const before = blobsIn(target.ROWPRESS_DATA_DIR).length;
      const again = await clientAt(running.url).create();
      expect(again.body.status).toBe('completed');
      expect(blobsIn(target.ROWPRESS_DATA_DIR)).toHaveLength(before);
      await running.stop();
    }
  },
);

test('[SEC23] a damaged encrypted blob, or a missing secret: refused by name, and the database stays empty', async () => {
  const { env } = await filledInstallation({ ROWPRESS_SECRET_KEY: SECRET });
  const directory = join(temporaryDir(), 'export');
  await rowpressJson(['export', directory], env);
  const target = await emptyInstallation();
  const refused = async (more: Record<string, string>, reason: RegExp) => {
    const { code, stderr } = await rowpress(['import', directory], { ...target, ...more });
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
  };
  await refused({}, /Set ROWPRESS_SECRET_KEY/);
  await refused({ ROWPRESS_SECRET_KEY: 'cd'.repeat(32) }, /ROWPRESS_SECRET_KEY_PREVIOUS/);
  const [path = ''] = blobsIn(directory);
  const whole = readFileSync(path);
  for (const damaged of [
    whole.subarray(0, -1),
    Buffer.alloc(0),
    Buffer.from(whole.map((byte) => byte ^ 1)),
  ]) {
    writeFileSync(path, damaged);
    await refused({ ROWPRESS_SECRET_KEY: SECRET }, /The blob [0-9a-f]{64}-[0-9a-f]{16} is damaged/);
  }
  writeFileSync(path, whole);
  // Only an empty database accepts an import (TRF3).
  await rowpressJson(['import', directory], { ...target, ROWPRESS_SECRET_KEY: SECRET });

  const [stored = ''] = blobsIn(env.ROWPRESS_DATA_DIR);
  writeFileSync(stored, readFileSync(stored).subarray(1));
  const exported = await rowpress(['export', join(temporaryDir(), 'second')], env);
  expect([exported.code, exported.stderr]).toEqual([1, expect.stringMatching(/is damaged/)]);
});
