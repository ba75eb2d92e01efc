import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BulkfillClient,
  badRow,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { letterPdf, SEAL_KEY, sealedBy } from '../support/bulkfill-server.ts';
import { type FilledArchive, fillArguments, sha256 } from '../support/fill-cli.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

let scene: Scene;
let client: BulkfillClient;
let sandbox: CliSandbox;
beforeAll(async () => {
  [scene, sandbox] = await Promise.all([openScene(), cliSandbox()]);
  client = scene.client;
});
afterAll(async () => {
  await scene.server.stop();
  await sandbox.remove();
});

const signed = { sign_manifest: 'true' };
const own = sealedBy(SEAL_KEY);
const signatureOf = ({ files }: FilledArchive) =>
  JSON.parse(Buffer.from(files['manifest.sig'] ?? []).toString());

/** Creates a job that must complete, and downloads its ZIP. */
async function made(fields: Record<string, string>) {
  const { status, body } = await client.create(fields);
  expect(status).toBe(200);
  return { job: body, archive: await client.archive(body.job_id) };
}

describe('sign_manifest', () => {
  it('[BF220] [FILL280] true: manifest.sig is the last entry and signs the manifest; false and absent: the ZIP as before', async () => {
    const { archive } = await made(signed);
    expect(Object.keys(archive.files)).toEqual([
      'row_1.pdf',
      'row_2.pdf',
      'row_3.pdf',
      'manifest.json',
      'manifest.sig',
    ]);
    expect(archive.manifest.options).toMatchObject({ sign_manifest: true });
    expect(signatureOf(archive)).toEqual({
      format: 'rowpress.manifest-signature',
      version: 1,
      algorithm: 'Ed25519',
      public_key: own,
      manifest_sha256: sha256(archive.files['manifest.json']),
      signature: expect.stringMatching(/^[0-9a-f]{128}$/),
    });
    for (const fields of [{}, { sign_manifest: 'false' }]) {
      const { archive: plain } = await made(fields);
      expect(Object.keys(plain.files).at(-1)).toBe('manifest.json');
      expect(plain.manifest.options).not.toHaveProperty('sign_manifest');
    }
  });

  it('[BF237] [SEC31] verify_column with the default settings: 400 that names the setting, and no id is found', async () => {
    const { status, body } = await client.create({ verify_column: 'column_0' });
    expect([status, body.code]).toEqual([400, 'INVALID_FIELD']);
    expect(body.message).toMatch(/^verify_column needs .*ROWPRESS_VERIFY=true/);
    const found = await client.request(`/v/${'0'.repeat(32)}`);
    expect([found.status, found.body]).toEqual([
      404,
      { code: 'VERIFY_ID_NOT_FOUND', message: 'No document can be verified at this address.' },
    ]);
  });

  it('[BF220] any other value: 400 INVALID_FIELD', async () => {
    const { status, body } = await client.create({ sign_manifest: 'yes' });
    expect([status, body.code]).toEqual([400, 'INVALID_FIELD']);
    expect(body.message).toContain('sign_manifest');
  });

  it('[BF221] a replay without it: 409 with the field; with false: the same request as without it', async () => {
    const once = { key: 'signed-once' };
    const { body } = await client.create(signed, once);
    expect((await client.create(signed, once)).body.job_id).toBe(body.job_id);
    expect(await client.create({}, once)).toMatchObject({
      status: 409,
      body: { differs_in: ['sign_manifest'] },
    });
    const plain = { key: 'plain-once' };
    const first = await client.create({}, plain);
    const again = await client.create({ sign_manifest: 'false' }, plain);
    expect(again.body.job_id).toBe(first.body.job_id);
  });

  it('[BF221] merged, both, a dry run and a retry: signed; ranges and HEAD cover the signature', async () => {
    const layouts: Record<string, string[]> = {};
    for (const fields of [{ output: 'merged' }, { output: 'both' }, { dry_run: 'true' }]) {
      const { archive } = await made({ ...signed, ...fields, rows_json: rowsJson(goodRows(1)) });
      layouts[Object.values(fields).join()] = Object.keys(archive.files);
      expect(signatureOf(archive).manifest_sha256).toBe(sha256(archive.files['manifest.json']));
    }
    const last = ['manifest.json', 'manifest.sig'];
    expect(layouts).toEqual({
      merged: ['merged.pdf', ...last],
      both: ['row_1.pdf', 'merged.pdf', ...last],
      true: last,
    });

    const rows = rowsJson([{ column_0: 'Ann' }, badRow]);
    const { job, archive } = await made({ ...signed, rows_json: rows, max_failed_row_percent: '50' });
    const path = `/v1/bulkfill/export-jobs/${job.job_id}/download`;
    const head = await client.fetch(path, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(archive.bytes.length));
    const start = archive.bytes.length - 500;
    const range = await client.fetch(path, { headers: { range: `bytes=${start}-` } });
    expect(Buffer.from(await range.arrayBuffer()).equals(archive.bytes.subarray(start))).toBe(true);
    const retried = await client.request(`/v1/bulkfill/export-jobs/${job.job_id}/retry`, {
      method: 'POST',
      headers: { 'idempotency-key': 'signed-retry', 'content-type': 'application/json', prefer: 'wait=30' },
      body: JSON.stringify({ rows: [{ row_number: 2, cells: { column_0: 'Bob' } }] }),
    });
    expect(Object.keys((await client.archive(retried.body.job_id)).files)).toEqual(['row_1.pdf', ...last]);
  });

  it('[FILL281] rowpress fill with the seal key of the server: the same ZIP; without a seal key: refused, no key is made', async () => {
    const { archive } = await made(signed);
    await sandbox.write('source.pdf', letterPdf);
    await sandbox.write('layout.doqlo', client.usual.doqlo_file as Uint8Array);
    await sandbox.write('rows.json', goodRows(3));
    const letter = fillArguments('layout.doqlo', 'rows.json', '-o', 'fill.zip');
    const args = [...letter, '--sign-manifest', '--max-failed-row-percent', '0'];
    const sealKey = { ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex') };
    const run = await sandbox.run([...args, '--timestamp', archive.manifest.timestamp], sealKey);
    expect(run).toMatchObject({ status: 0 });
    expect(Buffer.from(await sandbox.read('fill.zip')).equals(archive.bytes)).toBe(true);

    const trusting = { ROWPRESS_TRUSTED_SEALS: own };
    const without = await sandbox.run([...args, '--json'], trusting);
    expect([without.status, without.json().code]).toEqual([2, 'USAGE']);
    expect(without.stderr).toContain('--sign-manifest needs the seal key of an installation');
    await expect(sandbox.read('data/seal.key')).rejects.toThrow(/ENOENT/);
    const preview = await sandbox.run([...args, '--preview', '1'], sealKey);
    expect([preview.status, preview.stderr]).toEqual([2, expect.stringContaining('without --preview')]);
  });
});

describe('rowpress verify', () => {
  const verify = async (zip: string, args: readonly string[] = [], env = {}) => {
    const json = await sandbox.run(['verify', zip, '--json', ...args], env);
    const words = await sandbox.run(['verify', zip, ...args], env);
    return { status: json.status, body: json.json(), said: words.stdout + words.stderr };
  };
  let archive: FilledArchive;
  beforeAll(async () => {
    ({ archive } = await made(signed));
    await sandbox.write('signed.zip', archive.bytes);
    await sandbox.write('plain.zip', (await made({})).archive.bytes);
  });

  it('[SEC26] --key with the key of the public list, a file of keys or the list: proved', async () => {
    const list = await (await fetch(`${scene.server.url}/seals/list.json`)).text();
    expect(JSON.parse(list)).toEqual({
      keys: [{ public_key: own, state: 'current', replaced_at: null, retired_at: null }],
    });
    await sandbox.write('seals.json', list);
    await sandbox.write('keys.txt', `${'00'.repeat(32)}\n${own}\n`);
    const base64 = Buffer.from(own, 'hex').toString('base64');
    for (const key of [own, own.toUpperCase(), base64, 'seals.json', 'keys.txt']) {
      const { status, body, said } = await verify('signed.zip', ['--key', key]);
      expect(status).toBe(0);
      expect(body).toMatchObject({ ok: true, signature: { public_key: own, trusted: true } });
      expect(said).toContain(`signed by ${own}, a key of --key.`);
    }
  });

  it('[SEC26] --key with another key, and an archive without a signature: SIGNATURE_NOT_TRUSTED', async () => {
    const other = await verify('signed.zip', ['--key', '00'.repeat(32)]);
    expect(other).toMatchObject({
      status: 1,
      body: { ok: false, code: 'SIGNATURE_NOT_TRUSTED', verified: 3, signature: { trusted: false } },
      said: expect.stringContaining(`signed by another key: ${own}`),
    });
    const plain = await verify('plain.zip', ['--key', own]);
    expect(plain).toMatchObject({
      status: 1,
      body: { code: 'SIGNATURE_NOT_TRUSTED', signature: null },
      said: expect.stringContaining('intact but not signed'),
    });
    expect((await verify('plain.zip')).body).toMatchObject({ ok: true, signature: null });
  });

  it('[SEC27] without --key: says that the signer is not proved, unless this machine trusts the key', async () => {
    const unknown = await verify('signed.zip');
    expect(unknown).toMatchObject({
      status: 0,
      body: { ok: true, signature: { public_key: own, trusted: false } },
      said: expect.stringContaining('does not prove whose key it is'),
    });
    const trusted = await verify('signed.zip', [], { ROWPRESS_TRUSTED_SEALS: own });
    expect(trusted).toMatchObject({
      body: { signature: { trusted: true } },
      said: expect.stringContaining('a seal key that this machine trusts'),
    });
  });

  it('[SEC26] a changed PDF, a changed manifest, and a removed signature: ARCHIVE_DAMAGED', async () => {
    const { 'manifest.sig': signature = new Uint8Array(), ...unsigned } = archive.files;
    const text = Buffer.from(unsigned['manifest.json'] ?? []).toString();
    const changed = {
      pdf: { ...archive.files, 'row_2.pdf': new Uint8Array(9) },
      manifest: {
        ...unsigned,
        'manifest.json': Buffer.from(text.replace('\n', '\n ')),
        'manifest.sig': signature,
      },
      removed: unsigned,
    };
    const found: Record<string, unknown> = {};
    for (const [name, files] of Object.entries(changed)) {
      await sandbox.write('changed.zip', zipSync(files));
      const { status, body } = await verify('changed.zip', ['--key', own]);
      expect([status, body.code]).toEqual([1, 'ARCHIVE_DAMAGED']);
      found[name] = (body.problems as { kind: string; file_name: string }[]).map(
        ({ kind, file_name }) => `${kind} ${file_name}`,
      );
    }
    expect(found).toEqual({
      pdf: ['changed row_2.pdf'],
      manifest: ['signature manifest.sig'],
      removed: ['missing manifest.sig'],
    });
  });

  it('[SEC26] a --key that is neither a key nor a file of keys: exit code 2', async () => {
    await sandbox.write('wrong.txt', 'hello');
    await sandbox.write('empty.txt', ' \n');
    for (const key of ['none.txt', 'wrong.txt', 'empty.txt', 'abc']) {
      const { status, body } = await verify('signed.zip', ['--key', key]);
      expect([status, body.code]).toEqual([2, 'USAGE']);
    }
  });
});
