import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

/** `import` and `push`, run in a folder that has no installation. */
let server: BulkfillServer;
let sandbox: CliSandbox;
beforeAll(async () => {
  server = await startBulkfillServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  sandbox = await cliSandbox();
  onTestFinished(() => sandbox.remove());
});

async function commands(surface: 'subscribers' | 'ingest') {
  const env = { ROWPRESS_SERVER: server.url, ROWPRESS_API_KEY: (await server.account({ surface })).key };
  return (...args: string[]) => sandbox.run([...args, '--json'], env);
}

test('[OPS76] import of a file: imports subscribers with the suggested fields, and the same key is the same import', async () => {
  const run = await commands('subscribers');
  await sandbox.write('people.csv', 'Email,Name\nann@example.com,Ann\nbob@example.com,Bob\n');
  const first = await run('import', 'people.csv', '--tag', 'Spring');
  expect([first.status, first.json()]).toMatchObject([0, { status: 'Completed', created_count: 2 }]);
  expect(first.stderr).toContain('column "Email" → email');
  const key = String(first.json().idempotency_key);
  const again = await run('import', 'people.csv', '--tag', 'Spring', '--idempotency-key', key);
  expect(again.json()).toMatchObject({ id: first.json().id, created_count: 2 });
  const next = await run('import', 'people.csv', '--tag', 'Spring');
  expect(next.json()).toMatchObject({ unchanged_count: 2, created_count: 0 });
});

test('[OPS76] --map, rows that fail and a dry run: exit code 1, and the failed rows as CSV', async () => {
  const run = await commands('subscribers');
  await sandbox.write('people.csv', 'Address,Who\nann@example.com,Ann\nnobody,Bob\n');
  const map = ['import', 'people.csv', '--map', 'Address=email', '--map', 'Who=name'];
  const dry = await run(...map, '--dry-run', '--failed-rows', 'failed.csv');
  expect([dry.status, dry.json()]).toMatchObject([
    1,
    { code: 'ROWS_FAILED', dry_run: true, created_count: 1, failed_count: 1 },
  ]);
  expect(Buffer.from(await sandbox.read('failed.csv')).toString()).toMatch(/^3,Address,nobody,/m);
  expect((await run(...map, '--dry-run')).json()).toMatchObject({ created_count: 1 });
  const unknown = await run('import', 'people.csv', '--map', 'Address=email', '--map', 'Who=Nickname');
  expect([unknown.status, unknown.json()]).toMatchObject([
    2,
    { code: 'USAGE', message: expect.stringContaining('Nickname') },
  ]);
  const spared = await run(...map, '--failed-rows', 'people.csv');
  expect([spared.status, spared.json().code]).toEqual([2, 'USAGE']);
});

test('[OPS76] options of a file with a directory, and of a directory with a file: USAGE, and nothing is created', async () => {
  const run = await commands('subscribers');
  await sandbox.write('people.csv', 'Email\nann@example.com\n');
  await sandbox.write('secret', 'a passphrase');
  for (const args of [
    ['import', '.', '--server', server.url],
    ['import', '.', '--tag', 'Spring'],
    ['import', 'people.csv', '--passphrase-file', 'secret'],
  ]) {
    const ended = await run(...args);
    expect([ended.status, ended.json().code]).toEqual([2, 'USAGE']);
  }
  const local = await sandbox.run(['import', 'people.csv', '--json']);
  expect([local.status, local.json().message]).toMatchObject([2, expect.stringContaining('ROWPRESS_SERVER')]);
  await expect(sandbox.read('data/secret.key')).rejects.toThrow('ENOENT');
});

test('[OPS77] push of NDJSON, JSON and CSV: stores the items, reports those in quarantine and those rejected', async () => {
  const run = await commands('ingest');
  await sandbox.write(
    'uoms.ndjson',
    '{"source_id":"EA","name":"Each"}\n\n{"source_id":"KG","name":"Kilogram"}\n',
  );
  const units = await run('push', 'master/uoms', 'uoms.ndjson');
  expect([units.status, units.json()]).toMatchObject([0, { summary: { accepted: 2, rejected: 0 } }]);
  const key = String(units.json().idempotency_key);
  const again = await run('push', 'master/uoms', 'uoms.ndjson', '--idempotency-key', key);
  expect(again.json()).toMatchObject({ summary: { accepted: 2 } });

  await sandbox.write(
    'skus.csv',
    'source_id,name,base_uom,weight_kg:number,lot_tracked:boolean,attributes:json\n' +
      'A-1,Apple,EA,0.25,true,"{""colour"":""red""}"\nB-2,Bolt,BOX,,,\n',
  );
  const skus = await run('push', 'master/skus', 'skus.csv');
  expect([skus.status, skus.json()]).toMatchObject([
    0,
    { summary: { accepted: 1, quarantined: 1 }, problems: [{ source_id: 'B-2', status: 'QUARANTINED' }] },
  ]);
  await sandbox.write('skus.json', { items: [{ source_id: 'C-3', name: 'Crate', base_uom: 'EA', size: 1 }] });
  const rejected = await run('push', 'master/skus', 'skus.json');
  expect([rejected.status, rejected.json()]).toMatchObject([
    1,
    { code: 'ITEMS_REJECTED', summary: { rejected: 1 }, problems: [{ source_id: 'C-3' }] },
  ]);
});

test('[OPS77] push without --json: prints the reason of each problem, and the quarantine record', async () => {
  const env = {
    ROWPRESS_SERVER: server.url,
    ROWPRESS_API_KEY: (await server.account({ surface: 'ingest' })).key,
  };
  await sandbox.write('lots.json', [
    { source_id: 'L-1', sku_source_id: 'none' },
    { source_id: 'L-2', sku_source_id: 7 },
  ]);
  const { stderr } = await sandbox.run(['push', 'master/lots', 'lots.json'], env);
  expect(stderr).toMatch(/^L-1 QUARANTINED: [^{}]*none[^{}]* \(qn-[0-9A-Z]+\)$/m);
  expect(stderr).toMatch(/^L-2 REJECTED: sku_source_id: [^{}]*$/m);
});

test('[OPS77] push of a large file: is a bulk load, and its rejected items are listed', async () => {
  const run = await commands('ingest');
  const name = 'x'.repeat(150);
  const lines = Array.from({ length: 8000 }, (_, item) => JSON.stringify({ source_id: `U${item}`, name }));
  lines[4000] = '{"source_id":"U4000"}';
  await sandbox.write('uoms.ndjson', lines.join('\n'));
  const loaded = await run('push', 'master/uoms', 'uoms.ndjson');
  expect([loaded.status, loaded.json()]).toMatchObject([
    1,
    {
      job_id: expect.any(String),
      summary: { accepted: 7999, rejected: 1 },
      problems: [{ source_id: 'U4000' }],
    },
  ]);
  await sandbox.write('uoms.csv', `source_id,name\n${lines.map((_, item) => `U${item},${name}`).join('\n')}`);
  const { summary } = (await run('push', 'master/uoms', 'uoms.csv')).json() as {
    summary: Record<string, number>;
  };
  expect([summary.rejected, Object.values(summary).reduce((sum, count) => sum + count, 0)]).toEqual([
    0, 8000,
  ]);
});

test.each([
  ['a.ndjson', '{"source_id":"A"}\nnot JSON\n', 'a.ndjson, line 2 is not valid JSON'],
  ['a.ndjson', '{"source_id":12345678901234567890}', 'too many digits'],
  ['a.json', '{"things":[]}', 'must be an array of items'],
  ['a.csv', 'source_id,weight_kg:number\nA,heavy\n', 'line 2, column weight_kg is not a number'],
  ['a.csv', 'source_id,lot_tracked:boolean\nA,yes\n', 'must be true or false'],
  ['a.csv', 'source_id\nA,B\n', 'line 2 has 2 cells for 1 columns'],
])('[OPS78] push of %s with %j: INVALID_ITEMS, and nothing is sent', async (file, text, message) => {
  await sandbox.write(file, text);
  const settings = { ROWPRESS_SERVER: 'http://127.0.0.1:1', ROWPRESS_API_KEY: 'unused' };
  const ended = await sandbox.run(['push', 'master/skus', file, '--json'], settings);
  expect([ended.status, ended.json()]).toMatchObject([
    1,
    { code: 'INVALID_ITEMS', message: expect.stringContaining(message) },
  ]);
});
