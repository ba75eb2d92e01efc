import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type BulkfillClient,
  type ErrorBody,
  type Fields,
  openScene,
  type Scene,
} from '../support/bulkfill-client.ts';
import { letterPdf, seal } from '../support/bulkfill-server.ts';
import { box, layoutOf } from '../support/fill-cli.ts';
import { type SavedProject, saveProject } from '../support/projects.ts';
import { sourcePdf } from '../support/source-pdf.ts';

const layoutWith = (...labels: readonly string[]) =>
  layoutOf(
    labels.map((_, index) => ({
      ...box,
      id: `t${index}`,
      type: 'text',
      y: 100 + index * 50,
      value: { column: `column_${index}` },
    })),
    { columns: labels.map((label, index) => ({ key: `column_${index}`, label })) },
  );
const twoPages = sourcePdf({ pages: [{}, {}] });

let scene: Scene;
let client: BulkfillClient;
let letter: Uint8Array;
beforeAll(async () => {
  scene = await openScene();
  client = scene.client;
  letter = await seal(layoutWith('Name', 'Town'), letterPdf);
});
afterAll(() => scene?.server.stop());
afterEach(async () => {
  expect(await scene.server.temporaryFiles()).toEqual([]);
});

const PATH = '/v1/bulkfill/projects';
const create = (fields: Fields = {}, options: { key?: string; as?: BulkfillClient } = {}) =>
  saveProject(
    options.as ?? client,
    PATH,
    { name: `Letter ${randomUUID()}`, pdf: letterPdf, doqlo_file: letter, ...fields },
    { method: 'POST', headers: { 'idempotency-key': options.key ?? randomUUID() } },
  );
const put = (id: string, fields: Fields, headers: Record<string, string> = {}) =>
  saveProject(client, `${PATH}/${id}`, fields, { method: 'PUT', headers });
const get = <T = SavedProject & ErrorBody>(path: string, as = client) => as.request<T>(`${PATH}${path}`);
const bytesOf = async (path: string) =>
  new Uint8Array(await (await client.fetch(`${PATH}${path}`)).arrayBuffer());

describe('saving', () => {
  it('[BF130] a PDF and a package under a name: 201 with version 1, its pages and its columns', async () => {
    const { status, body, headers } = await create({ name: 'Grüße' });
    expect(status).toBe(201);
    expect(body).toEqual({
      project_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Grüße',
      version: 1,
      page_count: 1,
      columns: [
        { key: 'column_0', label: 'Name' },
        { key: 'column_1', label: 'Town' },
      ],
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect(headers.get('location')).toBe(`${PATH}/${body.project_id}`);
    expect(headers.get('etag')).toBe('"1"');
    expect((await get(`/${body.project_id}`)).body).toEqual(body);
  });

  it('[BF131] bad parts: a code and a message that names the part, and nothing is stored', async () => {
    const before = (await get<{ data: unknown[] }>('?limit=100')).body.data.length;
    const cases: [Fields, number, string, string][] = [
      [{ name: null }, 400, 'MISSING_FIELD', 'name'],
      [{ pdf: null }, 400, 'MISSING_FIELD', 'pdf'],
      [{ doqlo_file: null }, 400, 'MISSING_FIELD', 'doqlo_file'],
      [{ colour: 'red' }, 400, 'UNKNOWN_FIELD', 'colour'],
      [{ name: '' }, 400, 'INVALID_FIELD', '1 to 100 characters; it has 0'],
      [{ name: '😀'.repeat(101) }, 400, 'INVALID_FIELD', 'it has 101'],
      [{ name: ' a' }, 400, 'INVALID_FIELD', 'white space'],
      [{ name: 'a\u0000b' }, 400, 'INVALID_FIELD', 'control'],
      [{ name: 'a@2' }, 400, 'INVALID_FIELD', '"a@2"'],
      [{ name: randomUUID() }, 400, 'INVALID_FIELD', 'UUID'],
      [{ layout: '{}' }, 400, 'SOURCE_CONFLICT', 'layout'],
      [{ doqlo_file: null, layout: '{}' }, 403, 'SEAL_NOT_ALLOWED', '--seal'],
      [{ pdf: new Uint8Array(9) }, 422, 'PDF_INVALID', 'PDF'],
      [{ doqlo_file: new Uint8Array(9) }, 422, 'PACKAGE_MALFORMED', 'package'],
    ];
    for (const [fields, status, code, named] of cases) {
      const answer = await create(fields);
      expect([answer.status, answer.body.code], JSON.stringify(fields)).toEqual([status, code]);
      expect(answer.body.message).toContain(named);
    }
    expect((await get<{ data: unknown[] }>('?limit=100')).body.data).toHaveLength(before);
    const longest = await create({ name: '😀'.repeat(100) });
    expect(longest.status).toBe(201);
  });

  it('[BF132] the same key again: the first response, marked as a replay; another body: 409 with what differs', async () => {
    const key = randomUUID();
    const name = `Once ${key}`;
    const first = await create({ name }, { key });
    await put(first.body.project_id, { name: `${name} renamed` });
    const again = await create({ name }, { key });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const other = await create({ name: 'Other', pdf: twoPages }, { key });
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH']);
    expect(other.body.differs_in).toEqual(['name', 'pdf']);
    for (const bad of ['', 'a b', 'ü'.repeat(3)])
      expect((await create({}, { key: encodeURI(bad).slice(0, 3) || '""' })).body.code).toBe(
        'INVALID_IDEMPOTENCY_KEY',
      );
  });

  it('[BF132] equal creates at the same instant: one project, and all callers get it', async () => {
    const key = randomUUID();
    const all = await Promise.all(Array.from({ length: 16 }, () => create({ name: `Race ${key}` }, { key })));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 201));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
  });

  it('[BF133] a name that another project has: 409, in a create and a rename, even at the same instant', async () => {
    const name = `Taken ${randomUUID()}`;
    const all = await Promise.all(Array.from({ length: 5 }, () => create({ name })));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const lost = all.find(({ status }) => status === 409);
    expect(lost?.body).toEqual({ code: 'PROJECT_NAME_TAKEN', message: expect.stringContaining(name) });
    const other = await create();
    expect((await put(other.body.project_id, { name })).body.code).toBe('PROJECT_NAME_TAKEN');
    expect((await get(`/${other.body.project_id}`)).body.version).toBe(1);
    const elsewhere = await create({ name }, { as: await scene.another() });
    expect(elsewhere.status).toBe(201);
  });

  it('[BF134] a save: the next version from the parts that are sent and those of the version before', async () => {
    const { body: first } = await create();
    const id = first.project_id;
    const renamed = await put(id, { name: `Renamed ${id}` });
    expect([renamed.status, renamed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(renamed.body).toMatchObject({ project_id: id, version: 2, name: `Renamed ${id}`, page_count: 1 });
    const longer = await put(id, { pdf: twoPages });
    expect(longer.body).toMatchObject({ version: 3, page_count: 2, columns: first.columns });
    const sealed = await seal(layoutWith('Only'), letterPdf);
    const other = await put(id, { doqlo_file: sealed });
    expect(other.body).toMatchObject({
      version: 4,
      page_count: 2,
      columns: [{ key: 'column_0', label: 'Only' }],
    });
    expect(await bytesOf(`/${id}/pdf`)).toEqual(new Uint8Array(twoPages));
    expect(await bytesOf(`/${id}/package`)).toEqual(new Uint8Array(sealed));
    expect(await bytesOf(`/${id}/pdf?version=2`)).toEqual(new Uint8Array(letterPdf));
    expect(await bytesOf(`/${id}/package?version=3`)).toEqual(new Uint8Array(letter));
    expect((await get(`/${id}?version=1`)).body).toEqual({ ...first, name: `Renamed ${id}` });
    const { body: versions } = await get<{ data: SavedProject[]; next_cursor: string }>(
      `/${id}/versions?limit=3`,
    );
    expect(versions.data.map(({ version }) => version)).toEqual([4, 3, 2]);
    const rest = await get<{ data: SavedProject[] }>(`/${id}/versions?cursor=${versions.next_cursor}`);
    expect(rest.body).toMatchObject({ data: [{ version: 1 }], next_cursor: null });
    for (const bad of [{}, { pdf: new Uint8Array(3) }])
      expect((await put(id, bad)).status).toBeGreaterThanOrEqual(400);
    expect((await get(`/${id}`)).body.version).toBe(4);
  });

  it('[BF134] a save with the version of a read in its query: the query is ignored', async () => {
    const { body: first } = await create();
    await put(first.project_id, { pdf: twoPages });
    const renamed = await put(`${first.project_id}?version=1`, { name: `Again ${first.project_id}` });
    expect(renamed.body).toMatchObject({ version: 3, page_count: 2 });
  });

  it('[BF135] If-Match with another version: 412 and no version; with the latest: saved or deleted', async () => {
    const { body } = await create();
    const id = body.project_id;
    const saved = await put(id, { pdf: twoPages }, { 'if-match': '"1"' });
    expect(saved.body.version).toBe(2);
    const late = await put(id, { name: 'Late' }, { 'if-match': '"1"' });
    expect([late.status, late.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect(late.body.message).toContain('"2"');
    const remove = (tag: string) =>
      client.request(`${PATH}/${id}`, { method: 'DELETE', headers: { 'if-match': tag } });
    expect((await remove('"1"')).status).toBe(412);
    expect((await put(id, { name: `Any ${id}` }, { 'if-match': '*' })).body.version).toBe(3);
    expect((await remove('"3"')).status).toBe(204);
  });

  it('[BF136] saves at the same instant: each has its own version and loses no part of another', async () => {
    const { body } = await create();
    const id = body.project_id;
    const sealed = await seal(layoutWith('Only'), letterPdf);
    const all = await Promise.all([
      put(id, { pdf: twoPages }),
      put(id, { doqlo_file: sealed }),
      put(id, { name: `Raced ${id}` }),
      put(id, { name: `Raced ${id}` }),
    ]);
    expect(all.map(({ body: saved }) => saved.version).sort()).toEqual([2, 3, 4, 5]);
    const latest = await get(`/${id}`);
    expect(latest.body).toMatchObject({
      version: 5,
      name: `Raced ${id}`,
      page_count: 2,
      columns: [{ key: 'column_0', label: 'Only' }],
    });
    const fenced = await Promise.all(
      ['a', 'b', 'c'].map((name) => put(id, { name: `${name} ${id}` }, { 'if-match': '"5"' })),
    );
    expect(fenced.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });
});

describe('reading', () => {
  it('[BF137] the list: the latest version of every project of the account, newest first, page by page', async () => {
    const own = await scene.another();
    const names = ['one', 'two', 'three'];
    for (const name of names) expect((await create({ name }, { as: own })).status).toBe(201);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await get<{ data: SavedProject[]; next_cursor: string | null }>(
        `?limit=2${cursor}`,
        own,
      );
      seen.push(...body.data.map(({ name }) => name));
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(names.toReversed());
    for (const bad of ['limit=0', 'limit=101', 'cursor=x'])
      expect((await get(`?${bad}`)).body.code).toBe('INVALID_FIELD');
  });

  it('[BF138] an unknown project, version or id, and those of other accounts: the same 404', async () => {
    const { body } = await create();
    const stranger = await scene.another();
    for (const tail of ['', '/versions', '/pdf', '/package', '/row-schema', '/sample.csv', '/page.png']) {
      const foreign = await get(`/${body.project_id}${tail}`, stranger);
      const unknown = await get(`/${randomUUID()}${tail}`);
      expect([foreign.status, foreign.body.code]).toEqual([404, 'PROJECT_NOT_FOUND']);
      expect(foreign.text).toBe(unknown.text);
      expect((await get(`/no-uuid${tail}`)).body.code).toBe('PROJECT_NOT_FOUND');
    }
    for (const method of ['PUT', 'DELETE'])
      expect((await stranger.request(`${PATH}/${body.project_id}`, { method })).body.code).toBe(
        'PROJECT_NOT_FOUND',
      );
    expect((await get(`/${body.project_id}?version=2`)).body.code).toBe('PROJECT_NOT_FOUND');
    expect((await get(`/${body.project_id}?version=0`)).body.code).toBe('INVALID_FIELD');
    expect((await get(`/${body.project_id}`)).status).toBe(200);
  });

  it('[BF139] the files: byte ranges, entity tags and safe names', async () => {
    const { body } = await create({ name: `Größe "${randomUUID().slice(0, 8)}"` });
    const path = `${PATH}/${body.project_id}`;
    const whole = await client.fetch(`${path}/pdf`);
    expect(whole.headers.get('content-type')).toBe('application/pdf');
    expect(whole.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Gro.e-[^"]*\.pdf"; filename\*=UTF-8''/,
    );
    const etag = whole.headers.get('etag') ?? '';
    const part = await client.fetch(`${path}/pdf`, { headers: { range: 'bytes=5-9' } });
    expect(part.status).toBe(206);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(new Uint8Array(letterPdf.slice(5, 10)));
    expect((await client.fetch(`${path}/pdf`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await client.fetch(`${path}/package`, { headers: { range: 'bytes=99999999-' } })).status).toBe(
      416,
    );
    const picture = await client.fetch(`${path}/page.png?width=64`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    const png = Buffer.from(await picture.arrayBuffer());
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16)]).toEqual(['PNG', 64]);
    expect((await get(`/${body.project_id}/page.png?page=2`)).body.code).toBe('PROJECT_NOT_FOUND');
    expect((await get(`/${body.project_id}/page.png?width=3`)).body.code).toBe('INVALID_FIELD');
  });
});
