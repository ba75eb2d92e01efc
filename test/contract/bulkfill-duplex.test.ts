import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LayoutInput } from '#fill/package/layout-schema.ts';
import { type BulkfillClient, openScene, type Scene } from '../support/bulkfill-client.ts';
import { fillArguments, openArchive, sha256, submitArguments } from '../support/fill-cli.ts';
import { saveProject } from '../support/projects.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

/** Three invoices with 1, 3 and 1 pages, because the second page of the source continues a table. */
const example = (name: string) => readFileSync(join(import.meta.dirname, '../../examples/invoices', name));
const grouped = { match_columns: 'label', group_by: '["Invoice"]' };
const fields = { csv_file: new Uint8Array(example('items.csv')), ...grouped };

let scene: Scene;
let client: BulkfillClient;
let sandbox: CliSandbox;
beforeAll(async () => {
  const layout = JSON.parse(example('layout.json').toString()) as LayoutInput;
  scene = await openScene({ pdf: new Uint8Array(example('invoice.pdf')), layout });
  client = scene.client;
  sandbox = await cliSandbox();
});
afterAll(async () => {
  await scene.server.stop();
  await sandbox.remove();
});

const created = (more: Record<string, string>, key?: string) =>
  client.create({ ...fields, rows_json: null, ...more }, key === undefined ? {} : { key });

describe('duplex', () => {
  it('[BF230] [BF232] [BF233] documents with an odd number of pages: a blank page follows in merged.pdf', async () => {
    const { body } = await created({ output: 'merged', duplex: 'true' });
    const { files, manifest } = await client.archive(body.job_id);
    const merged = files['merged.pdf'] ?? new Uint8Array();
    expect(manifest).toMatchObject({
      options: { output: 'merged', duplex: true },
      merged: { page_count: 8, sha256: sha256(merged) },
      row_results: [{ first_page: 1 }, { first_page: 3 }, { first_page: 7 }],
    });
    const texts = await pageTexts(merged);
    expect(texts.flatMap((text, index) => (text === '' ? [index + 1] : []))).toEqual([2, 6, 8]);
    for (const [page, number] of [
      [0, 'R-1001'],
      [2, 'R-1002'],
      [6, 'R-1003'],
    ] as const)
      expect(texts[page]).toContain(number);
  });

  it('[BF230] both: the documents keep their own pages', async () => {
    const pages = async (more: Record<string, string>) => {
      const { body } = await created({ output: 'both', ...more });
      const { files } = await client.archive(body.job_id);
      return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, sha256(bytes)]));
    };
    const { 'merged.pdf': plain, 'manifest.json': _, ...rows } = await pages({});
    const { 'merged.pdf': duplex, 'manifest.json': __, ...same } = await pages({ duplex: 'true' });
    expect([Object.keys(rows).length, same]).toEqual([3, rows]);
    expect(duplex).not.toBe(plain);
  });

  it.each([
    [{ output: 'merged', duplex: 'yes' }, 'duplex must be true or false'],
    [{ duplex: 'true' }, 'duplex is only allowed with output=merged or output=both.'],
    [
      { output: 'both', duplex: 'true', sheet: '{"preset":"avery-l7160"}' },
      'duplex is not allowed with sheet',
    ],
  ])('[BF231] %o: 400, says why', async (more: Record<string, string>, message) => {
    const { status, body } = await created(more);
    expect([status, body]).toMatchObject([
      400,
      { code: 'INVALID_FIELD', message: expect.stringContaining(message) },
    ]);
  });

  it('[BF232] duplex=false: the request without it; true: another one', async () => {
    const first = await created({ output: 'merged' }, 'duplex-identity');
    const same = await created({ output: 'merged', duplex: 'false' }, 'duplex-identity');
    expect([same.status, same.body.job_id]).toEqual([200, first.body.job_id]);
    expect((await client.archive(first.body.job_id)).manifest.options).not.toHaveProperty('duplex');
    const other = await created({ output: 'merged', duplex: 'true' }, 'duplex-identity');
    expect([other.status, other.body]).toMatchObject([409, { differs_in: ['duplex'] }]);
  });

  it('[BF233] `rowpress fill --duplex` and `submit --duplex`: the bytes of the server', async () => {
    await sandbox.write('source.pdf', example('invoice.pdf'));
    await sandbox.write('layout.doqlo', client.usual.doqlo_file as Uint8Array);
    await sandbox.write('items.csv', example('items.csv'));
    const { body: job } = await created({ output: 'both', duplex: 'true' });
    // An equal job may have made the ZIP before.
    const ours = await client.archive(job.job_id);
    const options = [
      ...['--match-columns', 'label', '--group-by', 'Invoice'],
      ...['--output-kind', 'both', '--duplex', '--max-failed-row-percent', '0'],
    ];
    const run = await sandbox.run(
      [
        ...fillArguments('layout.doqlo', 'items.csv', ...options),
        ...['-o', 'out.zip', '--merge', 'merged.pdf', '--timestamp', ours.manifest.timestamp],
      ],
      { ROWPRESS_SEAL_KEY: scene.server.env.ROWPRESS_SEAL_KEY ?? '' },
    );
    expect([run.status, run.stdout]).toEqual([0, '']);
    const theirs = openArchive(await sandbox.read('out.zip'));
    expect(ours.manifest).toEqual(theirs.manifest);
    expect(sha256(ours.bytes)).toBe(sha256(theirs.bytes));
    expect(sha256(await sandbox.read('merged.pdf'))).toBe(sha256(theirs.files['merged.pdf']));

    const submitted = await sandbox.run(submitArguments('items.csv', ...options, '-o', 'sent.zip'), {
      ROWPRESS_SERVER: scene.server.url,
      ROWPRESS_API_KEY: client.account.key,
    });
    expect([submitted.status, submitted.stderr]).toEqual([0, expect.any(String)]);
    const sent = openArchive(await sandbox.read('sent.zip'));
    expect(sha256(sent.files['merged.pdf'])).toBe(sha256(theirs.files['merged.pdf']));

    for (const [wrong, message] of [
      [['--sheet', 'avery-l7160', '--output-kind', 'merged'], 'cannot be combined with --sheet'],
      [[], '--duplex needs --output-kind'],
    ] as const) {
      const refused = await sandbox.run(
        fillArguments('layout.doqlo', 'items.csv', '-o', 'no.zip', '--duplex', ...wrong),
      );
      expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  it('[BF230] a JSON create and a retry: have blank pages', async () => {
    const doqlo_file = client.usual.doqlo_file as Uint8Array;
    await saveProject(
      client,
      '/v1/bulkfill/projects',
      { name: 'Invoice', pdf: new Uint8Array(example('invoice.pdf')), doqlo_file },
      { method: 'POST', headers: { 'idempotency-key': 'duplex-project' } },
    );
    const post = async (path: string, key: string, body: object) => {
      const response = await client.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key, prefer: 'wait=30' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as { job_id: string };
    };
    const create = {
      ...{ project: 'Invoice', max_failed_row_percent: 100, match_columns: 'position' },
      ...{ output: 'merged', duplex: true },
    };
    const rows = [{ column_0: 'R-1' }, { column_0: {} }];
    const made = await post('/v1/bulkfill/export-jobs', 'duplex-json', { ...create, rows });
    const manifest = async (id: string) => (await client.archive(id)).manifest;
    expect(await manifest(made.job_id)).toMatchObject({
      merged: { page_count: 2 },
      row_results: [{ first_page: 1 }, { first_page: null }],
    });
    const retry = await post(`/v1/bulkfill/export-jobs/${made.job_id}/retry`, 'duplex-retry', {
      rows: [{ row_number: 2, cells: { column_0: 'R-2' } }],
    });
    expect(await manifest(retry.job_id)).toMatchObject({
      options: { duplex: true },
      merged: { page_count: 2 },
    });
  });
});
