import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BulkfillClient, goodRows, rowsJson } from '../support/bulkfill-client.ts';
import {
  letterPdf,
  nameLayout,
  SEAL_KEY,
  seal,
  sealedBy,
  startBulkfillServer,
} from '../support/bulkfill-server.ts';
import { databaseUrl, rowpress, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { authority, certificate } from '../support/webhooks.ts';

interface Key {
  readonly kind: string;
  readonly fingerprint: string;
  readonly state: string;
  readonly values: number | null;
  readonly here: boolean | null;
}

const hex = (byte: number) => Buffer.alloc(32, byte).toString('hex');

/** One installation whose server can be restarted with other settings. */
async function installation() {
  const dataDir = mkdtempSync('/tmp/rp-rotation-');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const home = { ROWPRESS_DATA_DIR: dataDir, DATABASE_URL: databaseUrl(await createDatabase()) };
  const start = async (env: Record<string, string> = {}) => {
    const server = await startBulkfillServer(
      { ROWPRESS_WEBHOOK_ALLOW: 'hooks.test', ...home, ...env },
      { webhookCa: authority.ca, resolve: async () => ['127.0.0.1'] },
    );
    onTestFinished(() => server.stop());
    return server;
  };
  return { dataDir, home, start };
}

async function client(home: Record<string, string>, url: string): Promise<BulkfillClient> {
  const create = ['keys', 'create', '--surface', 'bulkfill', '--account', 'acme'];
  const { key, id } = await rowpressJson<{ key: string; id: string }>(create, home);
  const doqlo_file = await seal(nameLayout, letterPdf);
  const usual = { pdf: letterPdf, doqlo_file, max_failed_row_percent: '0', rows_json: rowsJson(goodRows(2)) };
  return new BulkfillClient({ url }, { name: 'acme', id, key, keyId: id }, usual);
}

test('[SEC9] [SEC12] after a rotation and a restart: a repeated request with a webhook secret is the same request', async () => {
  const { dataDir, home, start } = await installation();
  const receiver = await startReceiver(certificate, 200);
  const first = await start();
  const before = await client(home, first.url);
  const hook = {
    delivery_mode: 'webhook',
    webhook_url: `https://hooks.test:${receiver.port}/`,
    webhook_secret: 'a shared secret',
  };
  const { body: job } = await before.create(hook, { key: 'k-1' });
  const rotated = await rowpressJson<{ current: string; replaced: string; resealed: number }>(
    ['secrets', 'rotate'],
    home,
  );
  expect(rotated.resealed).toBeGreaterThan(0);
  await first.stop();

  const second = await start();
  const after = new BulkfillClient(second, before.account, before.usual);
  const replay = await after.create(hook, { key: 'k-1' });
  expect([replay.status, replay.body.job_id]).toEqual([200, job.job_id]);
  const other = await after.create({ ...hook, webhook_secret: 'another secret' }, { key: 'k-1' });
  expect([other.status, other.body.differs_in]).toEqual([409, ['webhook_secret']]);
  await after.create({ ...hook, rows_json: rowsJson(goodRows(1)) }, { key: 'k-2' });

  const { keys } = await rowpressJson<{ keys: Key[] }>(['secrets', 'status'], home);
  expect(keys.filter(({ kind }) => kind === 'secret_key')).toEqual([
    expect.objectContaining({ fingerprint: rotated.current, state: 'current', here: true }),
    expect.objectContaining({ fingerprint: rotated.replaced, state: 'replaced', values: 0, here: true }),
  ]);
  const shown = await rowpress(['secrets', 'status'], home);
  const lines = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(2);
  for (const secret of lines) expect(shown.stdout).not.toContain(secret);

  const early = await rowpress(['secrets', 'retire'], home);
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('--early')]);
  const retired = await rowpressJson(['secrets', 'retire', '--early'], home);
  expect(retired).toEqual({ retired: [rotated.replaced] });
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()).toBe(lines[0]);
});

test('[SEC11] [SEC24] [SEC25] after a rotation of the seal key: earlier packages and signatures are accepted until it is retired', async () => {
  const { dataDir, home, start } = await installation();
  const first = await start();
  const before = await client(home, first.url);
  const early = join(dataDir, 'early.zip');
  const { body: signed } = await before.create({ sign_manifest: 'true' });
  writeFileSync(early, (await before.archive(signed.job_id)).bytes);
  await first.stop();
  const next = { ROWPRESS_SEAL_KEY: hex(77) };
  await expect(start(next)).rejects.toThrow(/set ROWPRESS_SEAL_KEY/);
  const rotated = await rowpressJson<{ current: string; replaced: string }>(['secrets', 'rotate', '--seal'], {
    ...home,
    ...next,
  });
  expect(rotated).toEqual({ current: sealedBy(Buffer.alloc(32, 77)), replaced: sealedBy(SEAL_KEY) });

  const second = await start(next);
  const after = new BulkfillClient(second, before.account, before.usual);
  expect((await after.create()).status).toBe(200);
  const doqlo_file = await seal(nameLayout, letterPdf, Buffer.alloc(32, 77));
  const { status, body: later } = await after.create({ doqlo_file, sign_manifest: 'true' });
  expect(status).toBe(200);
  const late = join(dataDir, 'late.zip');
  writeFileSync(late, (await after.archive(later.job_id)).bytes);
  const list = join(dataDir, 'seals.json');
  const verify = async (url: string, zip: string) => {
    writeFileSync(list, await (await fetch(`${url}/seals/list.json`)).text());
    return (await rowpress(['verify', zip, '--key', list, '--json'])).code;
  };
  expect(await verify(second.url, early)).toBe(0);
  expect(await verify(second.url, late)).toBe(0);
  expect(JSON.parse(readFileSync(list, 'utf8')).keys).toEqual([
    { public_key: rotated.current, state: 'current', replaced_at: null, retired_at: null },
    {
      public_key: rotated.replaced,
      state: 'replaced',
      replaced_at: expect.any(String),
      retired_at: null,
    },
  ]);
  await second.stop();
  await expect(start()).rejects.toThrow(/was replaced at .*ROWPRESS_SEAL_KEY/);

  expect(await rowpressJson(['secrets', 'retire', '--seal'], { ...home, ...next })).toEqual({
    retired: [sealedBy(SEAL_KEY)],
  });
  const third = await start(next);
  const last = new BulkfillClient(third, before.account, before.usual);
  expect((await last.create()).status).toBe(422);
  expect((await last.create({ doqlo_file })).status).toBe(200);
  expect(await verify(third.url, late)).toBe(0);
  expect(await verify(third.url, early)).toBe(1);
});

test('[SEC11] with seal.key: commands on this machine accept packages from before the rotation', async () => {
  const { dataDir, home, start } = await installation();
  const own = { ROWPRESS_SEAL_KEY: '' };
  const server = await start(own);
  await server.stop();
  const path = join(dataDir, 'seal.key');
  const old = readFileSync(path, 'utf8').trim();
  const rotated = await rowpressJson<{ replaced: string }>(['secrets', 'rotate', '--seal'], home);
  expect(rotated.replaced).toBe(sealedBy(Buffer.from(old, 'hex')));
  const [current, ...earlier] = readFileSync(path, 'utf8').trim().split('\n');
  expect(earlier).toEqual([rotated.replaced]);
  expect(current).not.toBe(old);
  const sealed = join(dataDir, 'before.doqlo');
  writeFileSync(sealed, await seal(nameLayout, letterPdf, Buffer.from(old, 'hex')));
  expect((await rowpress(['layout', 'inspect', sealed, '--json'], home)).code).toBe(0);
  writeFileSync(sealed, await seal(nameLayout, letterPdf, Buffer.alloc(32, 5)));
  expect((await rowpress(['layout', 'inspect', sealed, '--json'], home)).code).toBe(1);
  const again = await start(own);
  await again.stop();
});
