import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { DiskBlobs } from '#storage/blobs/disk.ts';
import { type Database, openDatabase } from '#storage/database.ts';
import { databaseUrl, rowpress, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { makeTemplate, removeDataDir, temporaryDataDir } from '../support/embedded-owner.ts';

const NOW = new Date('2026-03-01T12:00:00.123Z');
const ACCOUNT = '018f0000-0000-7000-8000-000000000001';
const JOB = '018f0000-0000-7000-8000-000000000002';
/** Everything the text format has to escape. */
const AWKWARD = 'tab\there\\and\nnew\rline \\. \\N „ünï“ 𝒳';

function temporaryDir(): string {
  const dir = mkdtempSync('/tmp/rp-transfer-');
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function emptyDatabase(): Promise<string> {
  const host = inject('socketDir');
  const name = `empty_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const admin = openDatabase({ host, database: 'postgres', user: 'rowpress' }, 1, () => {});
  await admin.pool.query(`create database ${name}`);
  await admin.close();
  return databaseUrl({ host, database: name, user: 'rowpress' });
}

function open(url: string): Database {
  const database = openDatabase({ url }, 2, () => {});
  onTestFinished(() => database.close());
  return database;
}

/** An installation with a bit of everything. */
async function filledInstallation(): Promise<{ env: Record<string, string>; digest: string }> {
  const dataDir = temporaryDir();
  const env = { DATABASE_URL: databaseUrl(await createDatabase()), ROWPRESS_DATA_DIR: dataDir };
  const store = await DiskBlobs.open(join(dataDir, 'blobs'));
  const staged = await store.receive(
    (async function* () {
      yield Buffer.from(AWKWARD);
    })(),
  );
  await staged.keep();
  writeFileSync(join(dataDir, 'secret.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 });
  const { db } = open(env.DATABASE_URL);
  await db
    .insertInto('accounts')
    .values({ id: ACCOUNT, name: AWKWARD, plan: 'free', active: false, created_at: NOW })
    .execute();
  await db
    .insertInto('jobs')
    .values({
      id: JOB,
      account_id: ACCOUNT,
      kind: 'example',
      state: 'queued',
      input: JSON.stringify({ text: AWKWARD, none: null }),
      ordered: false,
      slices_total: 0,
      rows_total: 2 ** 52,
      work_digest: Buffer.from([0, 10, 92, 255]),
      created_at: NOW,
    })
    .execute();
  await db
    .insertInto('blobs')
    .values({ digest: staged.digest, size_bytes: staged.sizeBytes, last_put_at: NOW })
    .execute();
  await db.insertInto('blob_refs').values({ digest: staged.digest, job_id: JOB, role: 'input' }).execute();
  await db.insertInto('installation').values({ name: 'blob_store', value: 'old' }).execute();
  return { env, digest: staged.digest };
}

async function exported(env: Record<string, string>): Promise<string> {
  const directory = join(temporaryDir(), 'export');
  await rowpressJson(['export', directory], env);
  return directory;
}

const emptyInstallation = async () => ({
  DATABASE_URL: await emptyDatabase(),
  ROWPRESS_DATA_DIR: join(temporaryDir(), 'data'),
});

test('[TRF1] [TRF2] an installation that is exported and imported is the same, to the byte', async () => {
  const source = await filledInstallation();
  const first = await exported(source.env);
  expect(statSync(first).mode & 0o777).toBe(0o700);
  const target = await emptyInstallation();
  const manifest = await rowpressJson(['import', first], target);
  expect(manifest).toMatchObject({ blobs: 1, key_files: ['secret.key'] });

  const { db } = open(target.DATABASE_URL);
  expect(await db.selectFrom('accounts').selectAll().execute()).toEqual([
    { id: ACCOUNT, name: AWKWARD, plan: 'free', active: false, created_at: NOW },
  ]);
  // The next start writes down the name of the store it finds.
  expect(await db.selectFrom('installation').selectAll().execute()).toEqual([]);
  const key = join(target.ROWPRESS_DATA_DIR, 'secret.key');
  expect(readFileSync(key, 'utf8')).toBe(`${'ab'.repeat(32)}\n`);
  expect(statSync(key).mode & 0o777).toBe(0o600);

  const second = await exported(target);
  const skipped = new Set(['installation.copy']);
  const tables = readdirSync(join(first, 'tables')).filter((name) => !skipped.has(name));
  expect(tables).toContain('jobs.copy');
  for (const name of tables)
    expect(readFileSync(join(second, 'tables', name))).toEqual(readFileSync(join(first, 'tables', name)));
  const blob = join('blobs', source.digest.slice(0, 2), source.digest);
  expect(readFileSync(join(second, blob), 'utf8')).toBe(AWKWARD);
});

test('[TRF3] an import goes into an empty installation only', async () => {
  const source = await filledInstallation();
  const directory = await exported(source.env);
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
    /0 of 1 blobs/,
  ],
  [
    'a newer release',
    (directory) => {
      const path = join(directory, 'manifest.json');
      writeFileSync(path, readFileSync(path, 'utf8').replace('"0001-engine"', '"9999-future"'));
    },
    /newer release .*9999-future/,
  ],
])('[TRF4] refused, and the database stays empty: %s', async (_, damage, complaint) => {
  const source = await filledInstallation();
  const directory = await exported(source.env);
  damage(directory, source.digest);
  const target = await emptyInstallation();
  const { code, stdout, stderr } = await rowpress(['import', directory, '--json'], target);
  expect(code).toBe(1);
  expect(stderr).toMatch(complaint);
  expect(JSON.parse(stdout)).toEqual({
    code: 'OPERATOR_NEEDED',
    message: expect.stringMatching(complaint),
  });
  const { pool } = open(target.DATABASE_URL);
  const { rows } = await pool.query<{ n: number }>(
    `select (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', relname), false, true, '')))[1]::text::int as n
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%'`,
  );
  expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(0);
});

/** Every file below a directory. */
const filesOf = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('[SEC14] [SEC15] an encrypted export: restores with its passphrase alone and shows nothing', async () => {
  const source = await filledInstallation();
  const [directory, files] = [join(temporaryDir(), 'export'), temporaryDir()];
  const passphraseFile = join(files, 'passphrase');
  writeFileSync(passphraseFile, 'correct horse battery\nignored');
  await rowpressJson(['export', directory, '--passphrase-file', passphraseFile], source.env);
  const secret = readFileSync(join(source.env.ROWPRESS_DATA_DIR ?? '', 'secret.key'), 'utf8').trim();
  const markers = ['„ünï“', secret, source.digest, ACCOUNT].map((text) => Buffer.from(text));
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
  const { db } = open(target.DATABASE_URL);
  expect(await db.selectFrom('accounts').select('name').execute()).toEqual([{ name: AWKWARD }]);
  expect(readFileSync(join(target.ROWPRESS_DATA_DIR, 'secret.key'), 'utf8').trim()).toBe(secret);
  const blob = join('blobs', source.digest.slice(0, 2), source.digest);
  expect(readFileSync(join(target.ROWPRESS_DATA_DIR, blob), 'utf8')).toBe(AWKWARD);
});

test('[SEC15] a damaged, cut or swapped file of an encrypted export: is refused by name, and nothing is restored', async () => {
  const source = await filledInstallation();
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
  const { db } = open(target.DATABASE_URL);
  expect(await db.selectFrom('accounts').select('id').execute()).toEqual([]);
});

test('[TRF2] [TRF3] with the embedded database, from one data directory to another', async () => {
  const template = await makeTemplate();
  onTestFinished(() => removeDataDir(template));
  const [from, to] = [1, 2].map(() => ({ ROWPRESS_DATA_DIR: temporaryDataDir({ template }) }));
  if (from === undefined || to === undefined) throw new Error('bug: two were made');
  const create = ['keys', 'create', '--surface', 'ingest', '--account', 'demo'];
  const { id } = await rowpressJson<{ id: string }>(create, from);
  await rowpressJson(['import', await exported(from)], to);
  expect(await rowpressJson(['keys', 'list'], to)).toMatchObject({ keys: [{ id, account: 'demo' }] });
});

test('[DOC1] doctor examines everything and finds a healthy installation healthy', async () => {
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
  ]);
});

test('[SBX10] doctor says of each layer of the sandbox whether it is active; switched off is a warning', async () => {
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

test('[DOC1] doctor says what is wrong and exits 1', async () => {
  const url = await emptyDatabase();
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
