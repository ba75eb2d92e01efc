import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type BulkfillClient, type Fields, openScene, type Scene } from '../support/bulkfill-client.ts';
import { letterPdf, seal } from '../support/bulkfill-server.ts';
import { box, layoutOf } from '../support/fill-cli.ts';
import { type SavedProject, saveProject } from '../support/projects.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { sourcePdf } from '../support/source-pdf.ts';

const text = (id: string, index: number, more: object = {}) => ({
  ...box,
  id,
  type: 'text',
  y: 100 + index * 50,
  value: { column: `column_${index}` },
  ...more,
});
const people = layoutOf([text('name', 0), text('town', 1)], {
  columns: [
    { key: 'column_0', label: 'Name' },
    { key: 'column_1', label: 'Town' },
    { key: 'column_2', label: 'Unused' },
  ],
});
const twoPages = sourcePdf({ pages: [{}, {}] });
const PATH = '/v1/bulkfill/projects';
const JOBS = '/v1/bulkfill/export-jobs';

let scene: Scene;
let client: BulkfillClient;
let sealer: BulkfillClient;
let sealed: Uint8Array;
beforeAll(async () => {
  scene = await openScene();
  client = scene.client;
  const { name } = client.account;
  sealer = new (client.constructor as typeof BulkfillClient)(
    scene.server,
    await scene.server.account({ name, scopes: ['seal'] }),
    client.usual,
  );
  sealed = await seal(people, letterPdf);
});
afterAll(() => scene?.server.stop());
afterEach(async () => {
  expect(await scene.server.temporaryFiles()).toEqual([]);
});

async function newProject(fields: Fields = {}, as = client): Promise<SavedProject> {
  const {
    status,
    body,
    text: answer,
  } = await saveProject(
    as,
    PATH,
    { name: `People ${randomUUID()}`, pdf: letterPdf, doqlo_file: sealed, ...fields },
    { method: 'POST', headers: { 'idempotency-key': randomUUID() } },
  );
  expect(status, answer).toBe(201);
  return body;
}
const put = (id: string, fields: Fields) =>
  saveProject(client, `${PATH}/${id}`, fields, { method: 'PUT', headers: {} });
const remove = (id: string) => client.fetch(`${PATH}/${id}`, { method: 'DELETE' });
const rows = [{ Name: 'Ann', Town: 'Paris' }];
const json = (body: unknown, key: string = randomUUID()) =>
  client.post(typeof body === 'string' ? body : JSON.stringify(body), {
    'content-type': 'application/json',
    'idempotency-key': key,
  });
const form = { pdf: null, doqlo_file: null, rows_json: JSON.stringify(rows), match_columns: 'label' };
const sentence = async (jobId: string) => {
  const { files } = await client.archive(jobId);
  return (await pageTexts(files['row_1.pdf'] ?? new Uint8Array()))[0];
};

describe('a create with a project', () => {
  it('[BF140] by id, by name and with a version: the job of the files', async () => {
    const { project_id: id, name } = await newProject();
    await put(id, { pdf: twoPages });
    for (const [project, pages] of [
      [id, 2],
      [name, 2],
      [`${id}@1`, 1],
      [`${name}@2`, 2],
      [id.toUpperCase(), 2],
    ] as const) {
      const { status, body } = await client.create({ ...form, project });
      expect(status, JSON.stringify(body)).toBe(200);
      const { manifest, files } = await client.archive(body.job_id);
      expect(manifest.source.page_count, project).toBe(pages);
      expect((await pageTexts(files['row_1.pdf'] ?? new Uint8Array()))[0]).toContain('Ann');
    }
  });

  it('[BF141] a project and files, or neither: 400; an unknown project or version: 404', async () => {
    const { project_id: id } = await newProject();
    const refused = async (fields: Fields) => {
      const { status, body } = await client.create({ ...form, ...fields });
      return [status, body.code];
    };
    expect(await refused({ project: id, pdf: letterPdf })).toEqual([400, 'SOURCE_CONFLICT']);
    expect(await refused({ project: id, doqlo_file: sealed })).toEqual([400, 'SOURCE_CONFLICT']);
    expect(await refused({})).toEqual([400, 'SOURCE_CONFLICT']);
    expect(await refused({ pdf: letterPdf })).toEqual([400, 'MISSING_FIELD']);
    for (const project of [randomUUID(), 'nothing', `${id}@2`, `${id}@999999999`])
      expect(await refused({ project }), project).toEqual([404, 'PROJECT_NOT_FOUND']);
    for (const project of ['', 'x'.repeat(101), `${id}@0`, ' a'])
      expect(await refused({ project }), project).toEqual([400, 'INVALID_FIELD']);
    const other = await scene.another();
    expect((await other.create({ ...form, project: id })).body.code).toBe('PROJECT_NOT_FOUND');
  });

  it('[BF142] files and their project: one effective body, so a replay and a reuse work across both', async () => {
    const { project_id: id, name } = await newProject();
    const key = randomUUID();
    const files = { ...form, pdf: letterPdf, doqlo_file: sealed, rows_json: '[{"Name":"Reuse","Town":"x"}]' };
    const first = await client.create(files, { key });
    const byProject = { ...files, pdf: null, doqlo_file: null, project: id };
    const replay = await client.create(byProject, { key });
    expect([replay.status, replay.body.job_id]).toEqual([200, first.body.job_id]);
    const asJson = await json(
      { project: name, rows: [{ Town: 'x', Name: 'Reuse' }], max_failed_row_percent: 0 },
      key,
    );
    expect(asJson.body.job_id).toBe(first.body.job_id);
    const reused = await client.create({ ...byProject, project: `${name}@1` });
    expect(reused.body.job_id).not.toBe(first.body.job_id);
    expect((await client.archive(reused.body.job_id)).manifest.timestamp).toBe(first.body.created_at);
  });

  it('[BF143] a replay after a new version, a rename or a delete: the first job; another version: 409', async () => {
    const { project_id: id, name } = await newProject();
    const key = randomUUID();
    const order = { project: name, rows, max_failed_row_percent: 0 };
    const first = await json(order, key);
    expect(first.status, first.text).toBe(200);
    await put(id, { pdf: twoPages });
    const same = async (body: object) => {
      const { body: replayed, text: answer } = await json(body, key);
      expect(replayed.job_id, answer).toBe(first.body.job_id);
    };
    await same(order);
    await same({ ...order, rows: [{ Town: 'Paris', Name: 'Ann' }] });
    await same({ ...order, project: id });
    await same({ ...order, project: `${id}@1` });
    const later = await json({ ...order, project: `${name}@2` }, key);
    expect([later.status, later.body.code, later.body.differs_in]).toEqual([
      409,
      'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
      ['pdf'],
    ]);
    expect((await json({ ...order, rows: [{ Name: 'Bob', Town: 'x' }] }, key)).body.differs_in).toEqual([
      'rows',
    ]);
    expect((await client.archive((await json(order)).body.job_id)).manifest.source.page_count).toBe(2);
    await put(id, { name: `${name} renamed` });
    await same(order);
    await remove(id);
    await same(order);
    await same({ ...order, rows: [{ Town: 'Paris', Name: 'Ann' }] });
    expect((await json(order)).body.code).toBe('PROJECT_NOT_FOUND');
  });

  it('[BF143] creates with one key while versions are saved: one job, and no conflict', async () => {
    const { project_id: id, name } = await newProject();
    const key = randomUUID();
    const order = { project: name, rows, max_failed_row_percent: 0 };
    const creates = Array.from({ length: 6 }, () => json(order, key));
    const saves = [twoPages, letterPdf, twoPages].map((pdf) => put(id, { pdf }));
    await Promise.all(saves);
    const answers = [...(await Promise.all(creates)), await json(order, key)];
    expect(answers.map(({ status, text: answer }) => (status < 300 ? 'ok' : answer))).toEqual(
      answers.map(() => 'ok'),
    );
    expect(new Set(answers.map(({ body }) => body.job_id)).size).toBe(1);
  });

  it('[BF144] a deleted project: its jobs still run and can be retried, and its name is free', async () => {
    const { project_id: id, name } = await newProject();
    const { body } = await json({
      project: id,
      rows: [{ Name: {}, Town: 'x' }, ...rows],
      max_failed_row_percent: 100,
    });
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id)).status).toBe(404);
    scene.server.clock.advance(2 * 3_600_000);
    await scene.server.sweep();
    expect((await client.archive(body.job_id)).manifest.summary.failed_rows).toBe(1);
    const retried = await client.request(`${JOBS}/${body.job_id}/retry`, {
      method: 'POST',
      headers: { 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
      body: JSON.stringify({ rows: [{ row_number: 1, cells: { column_0: 'Eve' } }] }),
    });
    expect(retried.status, retried.text).toBe(200);
    expect(await sentence((retried.body as { job_id: string }).job_id)).toContain('Eve');
    expect((await newProject({ name })).version).toBe(1);
  });

  it('[BF144] a project that nobody used for a month: still has all its versions and fills rows', async () => {
    const { project_id: id } = await newProject();
    await put(id, { pdf: twoPages });
    scene.server.clock.advance(31 * 86_400_000);
    await scene.server.sweep();
    for (const [version, pages] of [
      [1, 1],
      [2, 2],
    ]) {
      const { body } = await json({ project: `${id}@${version}`, rows, max_failed_row_percent: 0 });
      expect((await client.archive(body.job_id)).manifest.source.page_count).toBe(pages);
    }
    const pdf = await client.fetch(`${PATH}/${id}/pdf?version=1`);
    expect(new Uint8Array(await pdf.arrayBuffer())).toEqual(new Uint8Array(letterPdf));
  });

  it('[BF62] the ZIP of a project: has the name of the project', async () => {
    const name = `Invoices ${randomUUID().slice(0, 8)}`;
    await newProject({ name });
    const { body } = await json({ project: name, rows, max_failed_row_percent: 0 });
    const { headers } = await client.fetch(`${JOBS}/${body.job_id}/download`, { method: 'HEAD' });
    expect(headers.get('content-disposition')).toContain(`filename="${name.replace(' ', '-')}-20`);
  });
});

describe('a create as JSON', () => {
  it('[BF145] rows by label with JSON types: the same job as the form', async () => {
    const { project_id: project } = await newProject();
    const exact =
      '{"project":"%","rows":[{"Name":1.50,"Town":12345678901234567890}],"max_failed_row_percent":0}';
    const { status, body } = await json(exact.replace('%', project));
    expect(status).toBe(200);
    const drawn = await sentence(body.job_id);
    expect(drawn).toContain('1.50');
    expect(drawn).toContain('12345678901234567890');
    const named = await json({
      project,
      rows: [{ column_0: 'Ann', column_1: 'Paris' }],
      max_failed_row_percent: 0,
      match_columns: 'position',
      filename_columns: ['column_0'],
      dry_run: true,
      include_stickers: null,
    });
    expect((await client.archive(named.body.job_id)).manifest.row_results[0]?.file_name).toBe(
      'row_1_Ann.pdf',
    );
  });

  it('[BF146] a bad member: the code of the form field, and a message with both values', async () => {
    const { project_id: project } = await newProject();
    const good = { project, rows, max_failed_row_percent: 0 };
    const cases: [unknown, number, string, string][] = [
      ['{"project"', 400, 'INVALID_JSON', 'JSON'],
      ['[]', 400, 'INVALID_JSON', 'an array'],
      ['', 400, 'INVALID_JSON', 'JSON'],
      [{ ...good, project: undefined }, 400, 'MISSING_FIELD', 'project'],
      [{ ...good, rows: undefined }, 400, 'ROW_INPUT_CONFLICT', 'none'],
      [{ ...good, rows_from: 'subscribers:' }, 400, 'ROW_INPUT_CONFLICT', 'both'],
      [{ ...good, max_failed_row_percent: undefined }, 400, 'MISSING_FIELD', 'max_failed_row_percent'],
      [{ ...good, max_failed_row_percent: '5' }, 400, 'INVALID_FIELD', 'a number; received text'],
      [{ ...good, max_failed_row_percent: 5.5 }, 400, 'INVALID_FIELD', '"5.5"'],
      [{ ...good, dry_run: 'true' }, 400, 'INVALID_FIELD', 'dry_run must be true or false; received text'],
      [{ ...good, filename_columns: 'a' }, 400, 'INVALID_FILENAME_COLUMNS', 'array'],
      [{ ...good, match_columns: 'name' }, 400, 'INVALID_FIELD', '"name"'],
      [{ ...good, pdf: 'x' }, 400, 'UNKNOWN_FIELD', 'pdf'],
      [{ ...good, constructor: 'x' }, 400, 'UNKNOWN_FIELD', 'constructor'],
      [JSON.stringify(good).replace('{', '{"rows":[],'), 400, 'DUPLICATE_FIELD', 'rows'],
      [{ ...good, rows: {} }, 400, 'INVALID_ROWS_JSON', 'an object'],
      [{ ...good, rows: [1] }, 400, 'INVALID_ROWS_JSON', ''],
      [{ ...good, rows: [] }, 422, 'NO_ROWS', ''],
      [{ ...good, rows: [{ Name: 'a' }] }, 422, 'COLUMNS_MISSING', 'Town'],
      [{ ...good, webhook_url: 'https://a.example/' }, 400, 'INVALID_FIELD', 'webhook_url'],
    ];
    for (const [body, status, code, named] of cases) {
      const answer = await json(body as object);
      expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([status, code]);
      expect(answer.body.message).toContain(named);
    }
    const deep = `{"project":"${project}","max_failed_row_percent":0,"rows":${'['.repeat(100_000)}`;
    expect((await json(deep)).status).toBe(400);
  });

  it('[BF147] a body of more than 10 MB: 413; one just below: accepted', async () => {
    const { project_id: project } = await newProject();
    const body = (bytes: number) => {
      const start = `{"project":"${project}","max_failed_row_percent":0,"dry_run":true,"rows":[{"Name":"a","Town":"b","x":"`;
      return `${start}${'x'.repeat(bytes - start.length - 4)}"}]}`;
    };
    const above = await json(body(10_000_001));
    expect([above.status, above.body.code]).toEqual([413, 'ROWS_TOO_LARGE']);
    expect((await json(body(10_000_000))).status).toBe(200);
  });
});

describe('what a project tells about its rows', () => {
  it('[BF148] the row schema and the sample: name the columns by label, and a row that fits is filled', async () => {
    const layout = layoutOf(
      [
        text('name', 0),
        text('amount', 1, { format: { number: '#,##0.00', input_decimal: ',' } }),
        text('day', 2, { format: { date: 'DD.MM.YYYY' } }),
        { ...box, id: 'code', type: 'barcode', symbology: 'ean13', value: { column: 'column_3' } },
        { ...box, id: 'tick', type: 'check', on_value: 'paid', value: { column: 'column_4' } },
      ],
      {
        columns: ['Name, first', 'Amount', 'Day', 'Code', 'State', 'Amount'].map((label, index) => ({
          key: `column_${index}`,
          label,
        })),
      },
    );
    const { project_id: id, name } = await newProject({ doqlo_file: await seal(layout, letterPdf) });
    const answer = await client.fetch(`${PATH}/${id}/row-schema`);
    expect(answer.headers.get('content-type')).toContain('application/schema+json');
    const schema = (await answer.json()) as { properties: Record<string, { examples: string[] }> };
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: name,
      type: 'object',
      required: ['Name, first', 'column_1', 'Day', 'Code', 'State'],
    });
    const examples = Object.fromEntries(
      Object.entries(schema.properties).map(
        ([
          key,
          {
            examples: [first],
          },
        ]) => [key, first],
      ),
    );
    const fits = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    expect(fits.safeParse(examples).success).toBe(true);
    expect(fits.safeParse({ ...examples, Day: undefined }).success).toBe(false);
    expect(fits.safeParse({ ...examples, Day: {} }).success).toBe(false);
    const filled = await json({ project: id, rows: [examples], max_failed_row_percent: 0 });
    const { manifest } = await client.archive(filled.body.job_id);
    expect(manifest.row_results[0]).toMatchObject({ status: 'success', warnings: [] });
    const sample = await (await client.fetch(`${PATH}/${id}/sample.csv`)).text();
    expect(sample).toBe(
      '"Name, first",Amount,Day,Code,State,Amount\r\n"Name, first","1234,5",2026-01-31,4006381333931,paid,\r\n',
    );
  });

  it('[BF148] the sample of a project: fills one row by label', async () => {
    const { project_id: id } = await newProject();
    const csv_file = await (await client.fetch(`${PATH}/${id}/sample.csv`)).text();
    const { body } = await client.create({ ...form, rows_json: null, csv_file, project: id });
    const { manifest } = await client.archive(body.job_id);
    expect(manifest.row_results).toMatchObject([{ status: 'success', warnings: [] }]);
  });
});

describe('layouts that the server seals', () => {
  it('[BF149] a key with the scope seal: a layout becomes a package, as rowpress layout seal makes it', async () => {
    const made = await newProject({ doqlo_file: null, layout: JSON.stringify(people) }, sealer);
    expect(made.columns).toHaveLength(3);
    const bytes = await (await client.fetch(`${PATH}/${made.project_id}/package`)).arrayBuffer();
    expect(new Uint8Array(bytes)).toEqual(new Uint8Array(sealed));
    const one = layoutOf([text('only', 0)], { columns: [{ key: 'column_0', label: 'Only' }] });
    const next = await saveProject(
      sealer,
      `${PATH}/${made.project_id}`,
      { layout: JSON.stringify(one) },
      { method: 'PUT', headers: {} },
    );
    expect(next.body).toMatchObject({ version: 2, columns: [{ label: 'Only' }] });
    const plain = await put(made.project_id, { layout: JSON.stringify(one) });
    expect([plain.status, plain.body.code]).toEqual([403, 'SEAL_NOT_ALLOWED']);
  });

  it('[BF149] a layout with mistakes: 422 that names each of them, and nothing is stored', async () => {
    const wrong = async (layout: string) => {
      const name = `Wrong ${randomUUID()}`;
      const { status, body } = await saveProject(
        sealer,
        PATH,
        { name, pdf: letterPdf, layout },
        { method: 'POST', headers: { 'idempotency-key': randomUUID() } },
      );
      expect([status, body.code]).toEqual([422, 'PACKAGE_INVALID']);
      return body.message;
    };
    expect(await wrong('{')).toContain('layout');
    expect(await wrong(JSON.stringify({ ...people, overlays: [{ id: 'a', type: 'text' }] }))).toContain(
      'overlays',
    );
    const far = layoutOf([text('name', 0, { page: 7 })]);
    expect(await wrong(JSON.stringify(far))).toContain('overlays[0].page: page 7 of a PDF with 1');
  });
});
