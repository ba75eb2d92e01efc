import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { databaseUrl, rowpressJson } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { exportedTables, tablesThatStore } from '../support/exported-tables.ts';
import { ServerProcess } from '../support/server-process.ts';

/** Exports of earlier releases, made by scripts/make-export-fixture.ts. Add none by hand, and never change one. */
const FIXTURES = 'test/fixtures';
const exports = readdirSync(FIXTURES).filter((name) => /^export-.*\.zip$/.test(name));

interface Expected {
  readonly account: string;
  readonly keys: Readonly<Record<'bulkfill' | 'subscribers' | 'ingest', string>>;
  readonly job: string;
  readonly emails: readonly string[];
  readonly unit: { readonly source_id: string; readonly name: string };
}

function unpack(name: string): { folder: string; expected: Expected } {
  const folder = mkdtempSync(join(tmpdir(), 'rowpress-previous-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, bytes] of Object.entries(unzipSync(readFileSync(join(FIXTURES, name))))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return { folder, expected: JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected };
}

test.each(exports)('[OPS52] %s: imports, and keys, jobs, subscribers and items work', async (name) => {
  const { folder, expected } = unpack(name);
  const env = {
    DATABASE_URL: databaseUrl(await createDatabase('template0')),
    ROWPRESS_DATA_DIR: join(folder, 'data'),
  };
  await rowpressJson(['import', join(folder, 'export')], env);
  const { accounts } = await rowpressJson<{ accounts: { name: string }[] }>(['accounts', 'list'], env);
  expect(accounts.map((account) => account.name)).toContain(expected.account);
  expect((await rowpressJson<{ keys: object[] }>(['keys', 'list'], env)).keys).toHaveLength(3);
  // Before a server runs: it deletes jobs that have expired since the release.
  expect(tablesThatStore(await exportedTables(env), expected.job)).toContain('jobs');

  const server = await ServerProcess.start(env);
  onTestFinished(() => server.stop());
  const read = async (path: string, key: string) => {
    const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as Record<string, unknown>;
  };
  const { data } = await read('/v1/subscribers', expected.keys.subscribers);
  expect((data as { email: string }[]).map(({ email }) => email).sort()).toEqual([...expected.emails].sort());
  const unit = await read(`/wms-ingest/v1/master/uoms/${expected.unit.source_id}`, expected.keys.ingest);
  expect(JSON.stringify(unit)).toContain(expected.unit.name);
  const { ok } = await rowpressJson<{ ok: boolean }>(['doctor'], env);
  expect(ok).toBe(true);
});
