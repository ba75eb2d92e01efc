import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openScene } from '../support/bulkfill-client.ts';
import { databaseUrl, rowpress, rowpressJson } from '../support/cli.ts';
import { signedIn } from '../support/console-client.ts';
import { createDatabase } from '../support/database.ts';
import { makeTemplate, removeDataDir, temporaryDataDir } from '../support/embedded-owner.ts';
import { IngestClient } from '../support/ingest.ts';
import { jobDetails } from '../support/operator-views.ts';

/** All characters that the text format must escape. */
const AWKWARD = 'tab\there\\and\nnew\rline \\. \\N „ünï“ 𝒳';

function temporaryDir(): string {
  const dir = mkdtempSync('/tmp/rp-transfer-');
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

interface Installation {
  readonly env: Readonly<Record<string, string>>;
  readonly accountId: string;
  /** Digest of a blob that its job needs, followed by the content. */
  readonly digest: string;
  readonly content: Buffer;
}

/** An installation with an account, an item, a job and its blobs. Read-only, so all tests share it. */
let source: Installation;
/** The installation's export, also read-only. */
let whole: string;
beforeAll(async () => {
  const dataDir = mkdtempSync('/tmp/rp-transfer-');
  const { server, client } = await openScene({ env: { ROWPRESS_DATA_DIR: dataDir } });
  const operator = await signedIn(server);
  const { body } = await operator.post<{ id: string }>('/accounts', { name: '\\N \\. „ünï“', plan: 'free' });
  const ingest = new IngestClient(server.url, (await server.account({ surface: 'ingest' })).key);
  await ingest.send('/master/uoms', [{ source_id: 'EA', name: AWKWARD }]);
  const { body: job } = await client.create();
  expect(job.status).toBe('completed');
  const [input] = (await jobDetails(operator, job.job_id)).inputs;
  await server.stop();
  const env = { DATABASE_URL: server.env.DATABASE_URL ?? '', ROWPRESS_DATA_DIR: dataDir };
  const digest = input?.sha256 ?? '';
  const content = readFileSync(join(dataDir, 'blobs', digest.slice(0, 2), digest));
  source = { env, accountId: body.id, digest, content };
  whole = join(mkdtempSync('/tmp/rp-transfer-'), 'export');
  await rowpressJson(['export', whole], env);
});
afterAll(() => {
  for (const path of [source.env.ROWPRESS_DATA_DIR ?? '', dirname(whole)])
    rmSync(path, { recursive: true, force: true });
});

async function exported(env: Readonly<Record<string, string>>): Promise<string> {
  const directory = join(temporaryDir(), 'export');
  await rowpressJson(['export', directory], { ...env });
  return directory;
}

const emptyInstallation = async () => ({
  DATABASE_URL: databaseUrl(await createDatabase('template0')),
  ROWPRESS_DATA_DIR: join(temporaryDir(), 'data'),
});

test('[TRF1] [TRF2] an installation that is exported and imported: the same tables, blobs and keys, byte for byte', async () => {
  const first = whole;
  expect(statSync(first).mode & 0o777).toBe(0o700);
  const target = await emptyInstallation();
  const manifest = await rowpressJson(['import', first], target);
  expect(manifest).toMatchObject({ blobs: expect.any(Number), key_files: ['secret.key'] });
  const key = join(target.ROWPRESS_DATA_DIR, 'secret.key');
  expect(readFileSync(key)).toEqual(readFileSync(join(source.env.ROWPRESS_DATA_DIR ?? '', 'secret.key')));
  expect(statSync(key).mode & 0o777).toBe(0o600);

  const second = await exported(target);
  // The next start records the name of the store it finds.
  const nameOfStore = /^blob_store/m;
  expect(readFileSync(join(first, 'tables/installation.copy'), 'utf8')).toMatch(nameOfStore);
  expect(readFileSync(join(second, 'tables/installation.copy'), 'utf8')).not.toMatch(nameOfStore);
  const tables = readdirSync(join(first, 'tables')).filter((name) => name !== 'installation.copy');
  expect(tables).toContain('jobs.copy');
  expect(readFileSync(join(first, 'tables/ingest_items.copy'), 'utf8')).toContain('„ünï“ 𝒳');
  for (const name of tables)
    expect(readFileSync(join(second, 'tables', name))).toEqual(readFileSync(join(first, 'tables', name)));
  const blob = join('blobs', source.digest.slice(0, 2), source.digest);
  expect(readFileSync(join(second, blob))).toEqual(source.content);
});

test('[TRF3] an import into an installation that is not empty: refused', async () => {
  const directory = whole;
  const again = await rowpress(['import', directory], source.env);
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toContain('not empty');

  const otherKey = await emptyInstallation();
  await rowpress(['config'], otherKey);
  execFileSync('mkdir', ['-p', otherKey.ROWPRESS_DATA_DIR]);
  writeFileSync(join(otherKey.ROWPRESS_DATA_DIR, 'secret.key'), 'another');
  const refused = await rowpress(['import', directory], otherKey);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('secret.key already exists');

  const intoFull = await rowpress(['export', directory], source.env);
  expect(intoFull.code).toBe(1);
  expect(intoFull.stderr).toContain('is not empty');
});

test.each<[string, (directory: string, digest: string) => void, RegExp]>([
  ['no manifest', (directory) => rmSync(join(directory, 'manifest.json')), /not a complete export/],
  ['a table cut short', (directory) => truncateSync(join(directory, 'tables/jobs.copy')), /jobs has 0 of 1/],
  [
    'a damaged blob',
    (directory, digest) => writeFileSync(join(directory, 'blobs', digest.slice(0, 2), digest), 'x'),
    /is damaged/,
  ],
  [
    'a missing blob',
    (directory, digest) => rmSync(join(directory, 'blobs', digest.slice(0, 2), digest)),
    /(\d+) of \d+ blobs/,
  ],
  [
    'a newer release',
    (directory) => {
      const path = join(directory, 'manifest.json');
      writeFileSync(path, readFileSync(path, 'utf8').replace('"0001-engine"', '"9999-future"'));
    },
    /newer release .*9999-future/,
  ],
])('[TRF4] an export with %s: refused, and the database stays empty', async (_, damage, complaint) => {
  const directory = join(temporaryDir(), 'export');
  cpSync(whole, directory, { recursive: true });
  damage(directory, source.digest);
  const target = await emptyInstallation();
  const { code, stdout, stderr } = await rowpress(['import', directory, '--json'], target);
  expect(code).toBe(1);
  expect(stderr).toMatch(complaint);
  expect(JSON.parse(stdout)).toEqual({
    code: 'OPERATOR_NEEDED',
    message: expect.stringMatching(complaint),
  });
  // Only an empty database accepts an import (TRF3).
  expect(await rowpress(['import', whole], target)).toMatchObject({ code: 0 });
});

/** Every file below a directory. */
const filesOf = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('[SEC14] [SEC15] an encrypted export: restores with its passphrase alone and shows nothing', async () => {
  const [directory, files] = [join(temporaryDir(), 'export'), temporaryDir()];
  const passphraseFile = join(files, 'passphrase');
  writeFileSync(passphraseFile, 'correct horse battery\nignored');
  await rowpressJson(['export', directory, '--passphrase-file', passphraseFile], source.env);
  const secret = readFileSync(join(source.env.ROWPRESS_DATA_DIR ?? '', 'secret.key'), 'utf8').trim();
  const markers = ['„ünï“', secret, source.digest, source.accountId].map((text) => Buffer.from(text));
  for (const path of filesOf(directory)) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(path).not.toContain(source.digest);
    for (const marker of markers) expect(readFileSync(path).includes(marker)).toBe(false);
  }

  const target = await emptyInstallation();
  const imported = (env: Record<string, string>, ...options: string[]) =>
    rowpress(['import', directory, ...options], env);
  writeFileSync(join(files, 'wrong'), 'correct horse batter');
  writeFileSync(join(files, 'short'), 'x');
  const refusals: [string[], RegExp][] = [
    [[], /is encrypted. Pass its passphrase with --passphrase-file/],
    [['--passphrase-file', join(files, 'wrong')], /Wrong passphrase for/],
    [['--passphrase-file', join(files, 'short')], /at least 8 characters; it has 1/],
    [['--passphrase-file', join(files, 'none')], /Cannot read the passphrase file/],
  ];
  for (const [options, complaint] of refusals) {
    const { code, stderr } = await imported(target, ...options);
    expect(code).toBe(1);
    expect(
      stderr
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('rowpress:')),
    ).toEqual([expect.stringMatching(complaint)]);
  }
  expect((await imported(target, '--passphrase-file', passphraseFile)).code).toBe(0);
  const { accounts } = await rowpressJson<{ accounts: { id: string }[] }>(['accounts', 'list'], target);
  expect(accounts.map(({ id }) => id)).toContain(source.accountId);
  expect(readFileSync(join(target.ROWPRESS_DATA_DIR, 'secret.key'), 'utf8').trim()).toBe(secret);
  const blob = join('blobs', source.digest.slice(0, 2), source.digest);
  expect(readFileSync(join(target.ROWPRESS_DATA_DIR, blob))).toEqual(source.content);
});

test('[SEC15] a damaged, cut or swapped file of an encrypted export: is refused by name, and nothing is restored', async () => {
  const directory = join(temporaryDir(), 'export');
  const passphraseFile = join(temporaryDir(), 'passphrase');
  writeFileSync(passphraseFile, 'correct horse battery');
  await rowpressJson(['export', directory, '--passphrase-file', passphraseFile], source.env);
  const blob = filesOf(join(directory, 'blobs'))[0] ?? '';
  const [jobs, accounts] = ['jobs', 'accounts'].map((name) => join(directory, `tables/${name}.copy.enc`));
  if (jobs === undefined || accounts === undefined) throw new Error('bug: two were named');
  const flipped = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 3 ? byte ^ 1 : byte)));
  const damages: [string, (bytes: Buffer) => Buffer][] = [
    [blob, flipped],
    [blob, (bytes) => bytes.subarray(0, -1)],
    [jobs, flipped],
    [jobs, (bytes) => bytes.subarray(0, -1)],
    [jobs, () => readFileSync(accounts)],
    [join(directory, 'manifest.json.enc'), flipped],
    [join(directory, 'keys/secret.key.enc'), flipped],
  ];
  const target = await emptyInstallation();
  for (const [path, damage] of damages) {
    const whole = readFileSync(path);
    writeFileSync(path, damage(whole));
    const { code, stderr } = await rowpress(
      ['import', directory, '--passphrase-file', passphraseFile],
      target,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${path} is damaged or cut short.`)]);
    writeFileSync(path, whole);
  }
  expect(
    await rowpress(['import', directory, '--passphrase-file', passphraseFile], target),
    'the whole export goes into the database, so it is still empty',
  ).toMatchObject({ code: 0 });
});

test('[TRF2] [TRF3] an export of one data directory imported into another: the same keys in the embedded database', async () => {
  const template = await makeTemplate();
  onTestFinished(() => removeDataDir(template));
  const [from, to] = [1, 2].map(() => ({ ROWPRESS_DATA_DIR: temporaryDataDir({ template }) }));
  if (from === undefined || to === undefined) throw new Error('bug: two were made');
  const create = ['keys', 'create', '--surface', 'ingest', '--account', 'demo'];
  const { id } = await rowpressJson<{ id: string }>(create, from);
  await rowpressJson(['import', await exported(from)], to);
  expect(await rowpressJson(['keys', 'list'], to)).toMatchObject({ keys: [{ id, account: 'demo' }] });
});

test('[DOC1] doctor on a healthy installation: checks everything and finds no problem', async () => {
  const env = { DATABASE_URL: databaseUrl(await createDatabase()), ROWPRESS_DATA_DIR: temporaryDir() };
  const { ok, checks } = await rowpressJson<{ ok: boolean; checks: { name: string; state: string }[] }>(
    ['doctor'],
    env,
  );
  expect(ok).toBe(true);
  expect(checks.map(({ name }) => name)).toEqual([
    'node',
    'data directory',
    'disk space',
    'secret key',
    'blob store',
    'sandbox',
    'database',
    'migrations',
    'clock',
    'replication',
    'waiting jobs',
    'failed jobs',
    'webhooks',
  ]);
});

test('[SBX10] doctor: reports every layer of the sandbox; a sandbox that is off is a warning', async () => {
  const env = { DATABASE_URL: databaseUrl(await createDatabase()), ROWPRESS_DATA_DIR: temporaryDir() };
  const examined = async (mode: string) => {
    const { checks } = await rowpressJson<{ checks: Record<string, unknown>[] }>(['doctor'], {
      ...env,
      ROWPRESS_SANDBOX: mode,
    });
    return checks.find(({ name }) => name === 'sandbox');
  };
  const flag = expect.any(Boolean);
  const layers = { namespaces: flag, seccomp: flag, no_new_privs: flag, cgroup: flag, user: flag };
  expect(await examined('auto')).toMatchObject(layers);
  expect(await examined('off')).toMatchObject({
    state: 'warning',
    namespaces: false,
    seccomp: false,
    no_new_privs: false,
    cgroup: false,
  });
});

test('[DOC1] doctor on a broken installation: says what is wrong and exits with 1', async () => {
  const url = databaseUrl(await createDatabase('template0'));
  const pending = await rowpress(['doctor'], { DATABASE_URL: url, ROWPRESS_DATA_DIR: temporaryDir() });
  expect(pending.code).toBe(0);
  expect(pending.stdout).toMatch(/warning +migrations: pending: 0001-engine.*rowpress migrate/s);
  const env = { DATABASE_URL: 'postgresql://127.0.0.1:1/none', ROWPRESS_DATA_DIR: '/dev/null/data' };
  const { code, stdout } = await rowpress(['doctor', '--json'], env);
  expect(code).toBe(1);
  const { ok, checks } = JSON.parse(stdout);
  expect(ok).toBe(false);
  const failed = checks.filter(({ state }: { state: string }) => state === 'failed');
  expect(failed.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['data directory', 'blob store', 'database']),
  );
});
