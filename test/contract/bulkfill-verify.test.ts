import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkfillClient, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { letterPdf } from '../support/bulkfill-server.ts';
import { box, type FilledArchive, layoutOf, openArchive, sha256 } from '../support/fill-cli.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { scanImageFile } from '../support/scan-code.ts';

const ADDRESS = 'https://forms.example.com/tools';
const PER_MINUTE = 100;
const wide = { ...box, width: 480 };
const layout = layoutOf(
  [
    { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
    { id: 'address', type: 'text', ...wide, y: 200, value: { column: 'column_1' } },
    { id: 'code', type: 'qr', ...box, y: 300, width: 90, height: 90, value: { column: 'column_1' } },
  ],
  {
    columns: [
      { key: 'column_0', label: 'Name' },
      { key: 'column_1', label: 'Verify' },
      { key: 'column_2', label: 'Order' },
    ],
  },
);
const rows = [
  { column_0: 'Ada Orchid', column_2: 'A' },
  { column_0: 'Bea', column_1: 'mine', column_2: 'A' },
  { column_0: 'Cem', column_1: ' ', column_2: 'B' },
];
const fields = { rows_json: rowsJson(rows), max_failed_row_percent: '100', verify_column: 'Verify' };

/** The files that the sandbox has. The path of the ZIP follows. */
const FILL = 'fill --pdf source.pdf --layout layout.doqlo --rows rows.json -o'.split(' ');

let scene: Scene;
let client: BulkfillClient;
let sandbox: CliSandbox;
beforeAll(async () => {
  const env = {
    ROWPRESS_VERIFY: 'true',
    ROWPRESS_PUBLIC_URL: `${ADDRESS}/`,
    ROWPRESS_VERIFY_PER_MINUTE: String(PER_MINUTE),
    ROWPRESS_VERIFY_SECONDS: '86400',
  };
  [scene, sandbox] = await Promise.all([openScene({ layout, env }), cliSandbox()]);
  client = scene.client;
  await sandbox.write('source.pdf', letterPdf);
  await sandbox.write('layout.doqlo', client.usual.doqlo_file as Uint8Array);
});
afterAll(async () => {
  await scene.server.stop();
  await sandbox.remove();
});

/** Creates a job that must complete, and downloads its ZIP. */
async function made(more: Record<string, string> = {}) {
  const { status, body } = await client.create({ ...fields, ...more });
  expect([status, body.code]).toEqual([200, undefined]);
  return { job: body, archive: await client.archive(body.job_id) };
}

/** The id in the address that a PDF shows. */
async function idIn({ files }: FilledArchive, name: string): Promise<string> {
  const [text = ''] = await pageTexts(files[name] ?? new Uint8Array());
  const [, id = ''] = /https:\/\/forms\.example\.com\/tools\/v\/([0-9a-f]{32})(?![0-9a-f])/.exec(text) ?? [];
  expect(id, text).toHaveLength(32);
  return id;
}

const verify = async (id: string, accept = '*/*') => {
  const response = await fetch(`${scene.server.url}/v/${id}`, { headers: { accept } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const today = () => scene.server.clock.now().toISOString().slice(0, 10);

describe('verify_column', () => {
  it('[BF235] [FILL305] [SEC30] each document: shows its own address, which confirms day and project without a key', async () => {
    const before = today();
    const { job, archive } = await made();
    const days = [before, today()];
    expect(archive.manifest.options).toMatchObject({ verify_column: 'Verify' });
    expect(archive.manifest.row_results.map(({ error }) => error?.code ?? null)).toEqual([
      null,
      'ROW_VERIFY_NOT_BLANK',
      null,
    ]);
    expect(archive.manifest.row_results[1]?.error?.message).toMatch(/^column_1 has a value/);
    const problems = await client.request<{ data: { row_number: number; column: string }[] }>(
      `/v1/bulkfill/export-jobs/${job.job_id}/problem-rows`,
    );
    expect(problems.text).toContain('"column":"column_1"');
    const ids = [await idIn(archive, 'row_1.pdf'), await idIn(archive, 'row_3.pdf')];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) {
      const { status, headers, text } = await verify(id);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toEqual({ id, issued_on: expect.toBeOneOf(days), project: null });
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
    const { status, headers, text } = await verify(ids[0] ?? '', 'text/html,application/xhtml+xml;q=0.9');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(days.some((day) => text.includes(`<dd>${day}</dd>`))).toBe(true);
    for (const value of ['Ada', 'Orchid', client.account.name, client.account.id, job.job_id])
      expect(text).not.toContain(value);
  });

  it('[BF240] a QR code of the column: a scanner reads the address, which confirms the document', async () => {
    const before = today();
    const { job, archive } = await made();
    const days = [before, today()];
    for (const number of [1, 3]) {
      const address = `${ADDRESS}/v/${await idIn(archive, `row_${number}.pdf`)}`;
      const png = await client.fetch(`/v1/bulkfill/export-jobs/${job.job_id}/rows/${number}.png?width=1200`);
      expect(png.headers.get('content-type')).toBe('image/png');
      const codes = await scanImageFile(new Uint8Array(await png.arrayBuffer()));
      expect(codes).toEqual([`QRCode: ${address}`]);
      const confirmed = await fetch(address.replace(ADDRESS, scene.server.url));
      expect(confirmed.status).toBe(200);
      expect(await confirmed.json()).toMatchObject({
        id: address.slice(-32),
        issued_on: expect.toBeOneOf(days),
      });
    }
  });

  it('[SEC31] malformed, unknown and cut ids: the same 404, as JSON and as a page', async () => {
    const { archive } = await made();
    const id = await idIn(archive, 'row_1.pdf');
    const wrong = [
      '0'.repeat(32),
      id.slice(0, 31),
      `${id}0`,
      id.toUpperCase(),
      'x',
      '%2e',
      'a'.repeat(300),
      '',
    ];
    const answers = await Promise.all(wrong.map((text) => verify(text)));
    expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 404));
    expect(new Set(answers.map(({ text }) => text))).toEqual(
      new Set(['{"code":"VERIFY_ID_NOT_FOUND","message":"No document can be verified at this address."}']),
    );
    const pages = await Promise.all(wrong.map((text) => verify(text, 'text/html')));
    expect(pages.map(({ status }) => status)).toEqual(wrong.map(() => 404));
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    expect(pages[0]?.text).toContain('Document not verified');
    expect(pages[0]?.headers.get('cache-control')).toBe('no-store');
  });

  it('[FILL306] the same cells: the same id in another job, another order and a retry; other cells or options: another one', async () => {
    const first = await idIn((await made()).archive, 'row_1.pdf');
    const [ada] = rows;
    const reordered = await made({ rows_json: rowsJson([{ column_0: 'Zoe' }, ada]) });
    expect(await idIn(reordered.archive, 'row_2.pdf')).toBe(first);
    const others = [
      { rows_json: rowsJson([{ ...ada, column_0: 'Ada' }]) },
      { rows_json: rowsJson([{ ...ada, column_2: 'C' }]) },
      { rows_json: rowsJson([ada]), flatten_forms: 'true' },
    ];
    for (const more of others)
      expect(await idIn((await made(more)).archive, 'row_1.pdf'), JSON.stringify(more)).not.toBe(first);

    const { body } = await client.create(fields);
    const retry = await client.fetch(`/v1/bulkfill/export-jobs/${body.job_id}/retry`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'v-retry', prefer: 'wait=30' },
      body: JSON.stringify({ rows: [{ row_number: 2, cells: ada }] }),
    });
    const { job_id } = (await retry.json()) as { job_id: string };
    expect(await idIn(await client.archive(job_id), 'row_1.pdf')).toBe(first);
  });

  it('[FILL307] [BF238] many rows: the bytes of `rowpress fill`, on any number of threads; another secret: other ids', async () => {
    const many = Array.from({ length: 150 }, (_, index) => ({ column_0: `Person ${index}` }));
    const { job, archive } = await made({ rows_json: rowsJson(many) });
    await sandbox.write('rows.json', many);
    const { ROWPRESS_SEAL_KEY = '', ROWPRESS_DATA_DIR = '' } = scene.server.env;
    const env = { ROWPRESS_SEAL_KEY, ROWPRESS_DATA_DIR };
    const column = ['--verify-column', 'Verify', '--verify-address', `${ADDRESS}/`];
    const fill = (args: readonly string[], more: Record<string, string> = {}) =>
      sandbox.run([...FILL, 'out.zip', ...args], { ...env, ...more });
    const run = await fill([...column, '--timestamp', job.created_at, '--threads', '3']);
    expect([run.status, run.stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    const theirs = openArchive(await sandbox.read('out.zip'));
    expect(theirs.manifest).toEqual(archive.manifest);
    expect(sha256(theirs.bytes)).toBe(sha256(archive.bytes));
    await fill(column, { ROWPRESS_SECRET_KEY: '7'.repeat(64) });
    const other = openArchive(await sandbox.read('out.zip'));
    expect(await idIn(other, 'row_1.pdf')).not.toBe(await idIn(archive, 'row_1.pdf'));

    const lost = { ROWPRESS_DATA_DIR: sandbox.path('none'), ROWPRESS_SECRET_KEY: '' };
    const wrong = [
      await fill(column, lost),
      await fill(column.slice(0, 2)),
      await fill(['--verify-column', 'Nope', '--verify-address', ADDRESS]),
      await fill(['--verify-column', 'Verify', '--verify-address', 'forms.example.com']),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([2, 2, 2, 2]);
    for (const { stderr } of wrong) expect(stderr).toContain('--verify-');
  });

  it('[FILL308] group_by: one id for all rows of the group; a value in any of its rows fails it', async () => {
    const grouped = (...last: object[]) =>
      made({ rows_json: rowsJson([rows[0], ...last]), group_by: '["Order"]' });
    const alone = await idIn((await grouped()).archive, 'group_1.pdf');
    const two = await grouped({ column_0: 'Ada Orchid', column_2: 'A' });
    expect(two.archive.manifest.row_results[0]?.warnings).toEqual([]);
    const both = await idIn(two.archive, 'group_1.pdf');
    expect(both).not.toBe(alone);
    expect((await verify(both)).status).toBe(200);
    const { archive } = await grouped({ column_0: 'Ada Orchid', column_1: 'x', column_2: 'A' });
    expect(archive.manifest.row_results[0]?.error).toEqual({
      code: 'ROW_VERIFY_NOT_BLANK',
      message: expect.stringMatching(/^Row 2: column_1 has a value/),
    });
  });

  it('[BF236] match_columns=label: the input need not have the column; a PDF of all rows has the addresses too', async () => {
    const more = { match_columns: 'label', rows_json: rowsJson([{ Name: 'Ada' }]), output: 'both' };
    const { archive } = await made(more);
    const id = await idIn(archive, 'merged.pdf');
    expect(await idIn(archive, 'row_1.pdf')).toBe(id);
    expect((await verify(id)).status).toBe(200);
  });

  it('[BF237] an unusable column: 400 that names the field', async () => {
    const cases = [
      [{ verify_column: 'Nope' }, 'exactly one column'],
      [{ verify_column: '' }, 'exactly one column'],
      [{ filename_columns: '["column_1"]' }, 'file names'],
      [{ group_by: '["Verify"]' }, 'grouped by'],
      [{ password_column: 'column_1' }, 'passwords'],
    ] as const;
    for (const [more, reason] of cases) {
      const { status, body } = await client.create({ ...fields, ...more });
      expect([status, body.code], JSON.stringify(more)).toEqual([400, 'INVALID_FIELD']);
      expect(body.message).toMatch(/^verify_column /);
      expect(body.message).toContain(reason);
    }
  });

  it('[BF239] the same key with and without the column: a mismatch in verify_column', async () => {
    const key = 'verify-once';
    const first = await client.create(fields, { key });
    expect((await client.create(fields, { key })).body.job_id).toBe(first.body.job_id);
    const { status, body } = await client.create({ ...fields, verify_column: null }, { key });
    expect([status, body.differs_in]).toEqual([409, ['verify_column']]);
  });

  it('[SEC32] documents of a dry run, of a failed job and of the command line: not issued, so not verified', async () => {
    const only = [{ column_0: 'Never issued' }, { column_0: 'x', column_1: 'x' }];
    const rows_json = rowsJson(only);
    const dry = await client.create({ ...fields, rows_json, dry_run: 'true' });
    const failed = await client.create({ ...fields, rows_json, max_failed_row_percent: '0' });
    expect([dry.status, failed.body.status]).toEqual([200, 'failed']);
    await sandbox.write('rows.json', only);
    const { ROWPRESS_DATA_DIR = '', ROWPRESS_SEAL_KEY = '' } = scene.server.env;
    const run = await sandbox.run(
      [...FILL, 'never.zip', ...['--verify-column', 'Verify', '--verify-address', ADDRESS]],
      { ROWPRESS_DATA_DIR, ROWPRESS_SEAL_KEY },
    );
    expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
    const id = await idIn(openArchive(await sandbox.read('never.zip')), 'row_1.pdf');
    expect((await verify(id)).status).toBe(404);
    await made({ rows_json });
    expect((await verify(id)).status).toBe(200);
  });

  it('[SEC33] requests of one address above the limit: 429; another address: still answered', async () => {
    const ask = (localAddress: string) =>
      new Promise<number>((resolve, reject) => {
        const { hostname, port } = new URL(scene.server.url);
        const call = request({ hostname, port, path: '/v/x', localAddress, agent: false }, (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        });
        call.on('error', reject).end();
      });
    const statuses: number[] = [];
    for (let count = 0; count <= PER_MINUTE && !statuses.includes(429); count += 1)
      statuses.push(await ask('127.0.0.2'));
    expect(statuses.at(-1)).toBe(429);
    expect(await ask('127.0.0.3')).toBe(404);
  });

  it('[SEC31] [SEC32] a repeated issue: keeps the first day; expired: 404, and its record is swept', async () => {
    const { server } = scene;
    const issuedOn = async (id: string) => JSON.parse((await verify(id)).text).issued_on;
    const first = await made({ rows_json: rowsJson([{ column_0: 'Issued twice' }]) });
    const id = await idIn(first.archive, 'row_1.pdf');
    const day = await issuedOn(id);
    server.clock.advance(23 * 3_600_000);
    await client.create({
      ...fields,
      rows_json: rowsJson([{ column_0: 'Issued twice' }, { column_0: 'new' }]),
    });
    server.clock.advance(2 * 3_600_000);
    expect(await issuedOn(id)).toBe(day);
    server.clock.advance(23 * 3_600_000);
    expect((await verify(id)).status).toBe(404);
    await server.sweep();
    const again = await made({ rows_json: rowsJson([{ column_0: 'x' }, { column_0: 'Issued twice' }]) });
    expect(await idIn(again.archive, 'row_2.pdf')).toBe(id);
    expect(await issuedOn(id)).not.toBe(day);
  });
});
