import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainedEntry } from '../../src/lib/audit/audit-entry.ts';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { databaseUrl, rowpress, rowpressJson } from '../support/cli.ts';
import { type ConsoleClient, signedIn } from '../support/console-client.ts';
import { createDatabase } from '../support/database.ts';

let server: BulkfillServer;
let operator: ConsoleClient;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowpress-audit-'));
  server = await startBulkfillServer();
  operator = await signedIn(server);
  for (let n = 1; n <= 5; n += 1) await operator.post('/accounts', { name: `Account ${n} "Ω"` });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Verdict {
  readonly ok: boolean;
  readonly entries: number;
  readonly broken_seq?: number;
  readonly last_hash?: string;
}

async function verify(args: string[] = [], env = server.env): Promise<Verdict & { exit: number | null }> {
  const { code, stdout } = await rowpress(['audit', 'verify', ...args, '--json'], { ...env });
  return { ...JSON.parse(stdout), exit: code };
}

const entriesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ChainedEntry);

describe('the audit chain', () => {
  it('[CON50][CON52] the log is downloaded: the file verifies, and a changed or removed line is named', async () => {
    const download = await operator.fetch('/audit/export');
    expect([download.status, download.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    expect(download.headers.get('content-disposition')).toContain('attachment');
    const text = await download.text();
    const entries = entriesOf(text);
    expect(entries.map(({ action }) => action)).toEqual([
      'signed-in',
      ...Array(5).fill('account.created'),
      'audit.exported',
    ]);
    const file = join(folder, 'download.ndjson');
    await writeFile(file, text);
    expect(await verify([file])).toMatchObject({
      exit: 0,
      ok: true,
      entries: 7,
      last_hash: entries.at(-1)?.hash,
    });
    await writeFile(file, text.replace('Account 3', 'Account 9'));
    expect(await verify([file])).toMatchObject({ exit: 1, ok: false, broken_seq: 4 });
    await writeFile(file, text.replace(/^.*Account 2.*\n/m, ''));
    expect(await verify([file])).toMatchObject({ exit: 1, ok: false, broken_seq: 4 });
    await writeFile(file, `${text}no entry\n`);
    const { code, stderr } = await rowpress(['audit', 'verify', file], server.env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('line 8 is not an audit entry')]);
  });

  it('[CON52] `audit export` writes the same entries to a file and to standard output', async () => {
    const file = join(folder, 'export.ndjson');
    const told = await rowpressJson<{ entries: number; last_hash: string }>(
      ['audit', 'export', '-o', file],
      server.env,
    );
    const entries = entriesOf(await readFile(file, 'utf8'));
    expect(told).toMatchObject({ entries: entries.length, last_hash: entries.at(-1)?.hash });
    const { code, stdout } = await rowpress(['audit', 'export'], server.env);
    expect([code, entriesOf(stdout)]).toEqual([0, entries]);
    expect((await rowpress(['audit', 'export', '--json'], server.env)).code).toBe(2);
  });

  it('[CON49] the installation is exported and imported: the chain is the same', async () => {
    const before = await verify();
    expect(before).toMatchObject({ exit: 0, ok: true });
    const directory = join(folder, 'installation');
    await rowpressJson(['export', directory], server.env);
    const env = {
      ...server.env,
      DATABASE_URL: databaseUrl(await createDatabase()),
      ROWPRESS_DATA_DIR: join(folder, 'data'),
    };
    await rowpressJson(['import', directory], env);
    expect(await verify([], env)).toEqual(before);
  });

  it('[CON50] an entry is changed in the database: `audit verify` exits with 1 and names it', async () => {
    await server.pool.query(`update operator_actions set operator_name = 'Somebody else' where seq = 2`);
    expect(await verify()).toMatchObject({ exit: 1, ok: false, broken_seq: 2 });
    const { code, stderr } = await rowpress(['audit', 'verify'], server.env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('broken at entry 2: its content')]);
  });
});
