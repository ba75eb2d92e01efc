import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainedEntry } from '#lib/audit/audit-entry.ts';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { databaseUrl, rowpress, rowpressJson } from '../support/cli.ts';
import { type ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';
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

const emptyInstallation = async () => ({
  ...server.env,
  DATABASE_URL: databaseUrl(await createDatabase()),
  ROWPRESS_DATA_DIR: await mkdtemp(join(folder, 'data-')),
});

const entriesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ChainedEntry);

interface Entry {
  readonly action: string;
  readonly account: string | null;
  readonly target: string | null;
}

/** The entries that `work` added, oldest first. */
async function addedBy(work: () => Promise<unknown>): Promise<[string, string | null][]> {
  const latest = async () =>
    (await operator.get<Listed<Entry & { seq: number }>>('/audit?limit=100')).body.items;
  const before = (await latest())[0]?.seq ?? 0;
  await work();
  return (await latest())
    .filter(({ seq }) => seq > before)
    .map(({ action, target }): [string, string | null] => [action, target])
    .reverse();
}

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

  it('[CON52] `audit export` to a file and to standard output: the same entries', async () => {
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
    const env = await emptyInstallation();
    await rowpressJson(['import', directory], env);
    expect(await verify([], env)).toEqual(before);
  });

  it('[CON50] an entry is changed in the database: `audit verify` exits with 1 and names it', async () => {
    const directory = join(folder, 'changed');
    await rowpressJson(['export', directory], server.env);
    const file = join(directory, 'tables/operator_actions.copy');
    const rows = (await readFile(file, 'utf8')).split('\n');
    const changed = rows.map((row) =>
      row.includes('Account 1 ') ? row.replace('Account 1', 'Account 7') : row,
    );
    expect(changed).not.toEqual(rows);
    await writeFile(file, changed.join('\n'));
    const env = await emptyInstallation();
    await rowpressJson(['import', directory], env);
    expect(await verify([], env)).toMatchObject({ exit: 1, ok: false, broken_seq: 2 });
    const { code, stderr } = await rowpress(['audit', 'verify'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('broken at entry 2: its content')]);
  });
});

describe('audited reads', () => {
  const name = 'Account 1 "Ω"';
  const acting = { 'x-rowpress-account': encodeURIComponent(name) };
  const get = async (path: string, status = 200) => {
    const answer = await operator.get<Record<string, unknown>>(path, acting);
    expect([path, answer.status]).toEqual([path, status]);
    return answer.body;
  };
  const send = async (path: string, body: object) => {
    const headers = {
      ...acting,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      'x-correlation-id': randomUUID(),
    };
    const answer = await operator.request('POST', path, { headers, body: JSON.stringify(body) });
    expect(answer.status).toBeLessThan(300);
    return answer.body as Record<string, unknown>;
  };

  it('[CON48] subscribers and items: each read is one entry without its query; lists of jobs and refused reads are none', async () => {
    const made = await send('/acting/subscribers/subscribers', { email: 'ada@example.com' });
    const { id } = made.data as { id: string };
    const box = { source_id: 'BOX', source_version: 1, name: 'Box' };
    await send('/acting/ingest/master/uoms', { items: [box] });
    const reads = await addedBy(async () => {
      await get('/acting/subscribers/subscribers?email=ada%40example.com');
      await get(`/acting/subscribers/subscribers/${id}`);
      await get(`/acting/subscribers/subscribers/${randomUUID()}`, 404);
      await operator.request('HEAD', `/acting/subscribers/subscribers/${id}`, { headers: acting });
      await get('/acting/subscribers/tags');
      await get('/acting/subscribers/jobs/subscriber-exports');
      await get('/acting/ingest/master/uoms/BOX');
      await get('/acting/ingest/quarantine');
      await get('/acting/bulkfill/export-jobs');
      await get('/jobs');
      await get('/deliveries');
    });
    expect(reads).toEqual([
      ['subscribers.listed', '/subscribers'],
      ['subscriber.read', `/subscribers/${id}`],
      ['item.read', '/master/uoms/BOX'],
      ['quarantine.listed', '/quarantine'],
    ]);
  });

  it('[CON48] a download by its token: the entry names the job and not the token', async () => {
    const started = await send('/acting/subscribers/jobs/subscriber-exports', {});
    const { id } = started.data as { id: string };
    const settled = async () =>
      (await operator.get<{ settled_at: string | null }>(`/jobs/${id}`)).body.settled_at;
    await expect.poll(settled).not.toBeNull();
    const path = `/acting/subscribers/jobs/subscriber-exports/${id}`;
    const data = (await get(path)).data as { download_url: string };
    const download = new URL(data.download_url).pathname.replace('/v1', '');
    const token = download.split('/')[3] ?? '';
    const reads = await addedBy(async () => {
      await get(path);
      expect((await operator.fetch(`/acting/subscribers${download}`, { headers: acting })).status).toBe(200);
    });
    expect(reads.map(([action]) => action)).toEqual(['export.read', 'artifact.downloaded']);
    expect(reads[1]?.[1]).toContain(`/downloads/${id}/`);
    expect(token.length).toBeGreaterThan(20);
    expect(JSON.stringify(reads)).not.toContain(token);
  });

  it('[CON48] a delivery and a webhook secret: read, and written down', async () => {
    const hook = await send('/acting/ingest/webhooks', { url: 'https://hooks.example.com/in' });
    await send('/webhook-tests', { account: name, surface: 'ingest', url: 'https://hooks.example.com/in' });
    const { items } = (await operator.get<Listed<{ id: string }>>('/deliveries')).body;
    const reads = await addedBy(async () => {
      await get(`/acting/ingest/webhooks/${hook.webhook_id ?? hook.id}/secret`);
      await get(`/deliveries/${items[0]?.id}`);
    });
    expect(reads.map(([action]) => action)).toEqual(['webhook-secret.read', 'delivery.read']);
  });
});
