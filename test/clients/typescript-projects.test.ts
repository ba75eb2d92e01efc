import { expect, test } from 'vitest';
import { Rowpress } from '../../clients/typescript/src/rowpress.ts';
import { drop, json, startScriptedServer } from '../support/scripted-server.ts';

const ID = '0190d8a3-0000-7000-8000-000000000002';
const project = {
  project_id: ID,
  name: 'Invoice',
  version: 1,
  page_count: 2,
  columns: [{ key: 'column_0', label: 'unit_price' }],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const files = { pdf: new Uint8Array([1]), package: new Uint8Array([2]) };
const bulkfill = (baseUrl: string) => new Rowpress({ baseUrl, apiKey: 'key' }).bulkfill;

test('[SDK21] a project: is created under one key, and an update is repeated only with ifVersion', async () => {
  const made = await startScriptedServer(drop, json(201, project));
  const created = await bulkfill(made.url).projects.create({ name: 'Invoice', ...files });
  expect(created).toMatchObject({
    projectId: ID,
    pageCount: 2,
    columns: [{ key: 'column_0', label: 'unit_price' }],
  });
  const [first, second] = made.received;
  expect(first?.headers['idempotency-key']).toBe(second?.headers['idempotency-key']);
  for (const part of ['name="name"\r\n\r\nInvoice', 'name="pdf"', 'name="doqlo_file"'])
    expect(second?.body.toString()).toContain(part);

  const guarded = await startScriptedServer(drop, json(200, { ...project, version: 2 }));
  const updated = await bulkfill(guarded.url).projects.update(ID, { layout: { a_b: 1 } }, { ifVersion: 1 });
  expect(updated.version).toBe(2);
  expect(guarded.received[1]).toMatchObject({ method: 'PUT', headers: { 'if-match': '"1"' } });
  expect(guarded.received[1]?.body.toString()).toContain('{"a_b":1}');

  const open = await startScriptedServer(drop);
  await expect(bulkfill(open.url).projects.update(ID, { name: 'Bill' })).rejects.toMatchObject({ status: 0 });
  expect(open.received).toHaveLength(1);
});

test('[SDK21] the reads of a project: list, versions, files and the row schema with its own names', async () => {
  const schema = { type: 'object', properties: { unit_price: { type: 'string' } } };
  const page = (next_cursor: string | null) => json(200, { data: [project], next_cursor });
  const { url, received } = await startScriptedServer(
    page('c'),
    page(null),
    json(200, schema),
    (_request, res) => void res.end('unit_price\n'),
  );
  const { projects } = bulkfill(url);
  const names: string[] = [];
  for await (const { name } of projects.list()) names.push(name);
  expect(names).toEqual(['Invoice', 'Invoice']);
  expect(await projects.rowSchema(ID, { version: 1 })).toEqual(schema);
  expect(await projects.sampleCsv(ID)).toBe('unit_price\n');
  expect(received.map((request) => request.url)).toEqual([
    '/v1/bulkfill/projects?limit=100',
    '/v1/bulkfill/projects?limit=100&cursor=c',
    `/v1/bulkfill/projects/${ID}/row-schema?version=1`,
    `/v1/bulkfill/projects/${ID}/sample.csv`,
  ]);
});

test('[SDK21] a job of a project: names it instead of sending files', async () => {
  const { url, received } = await startScriptedServer(json(200, { job_id: ID, status: 'completed' }));
  const rows = [{ unit_price: '9.50' }];
  await bulkfill(url).createAndWait({
    project: 'Invoice@2',
    rows,
    matchColumns: 'label',
    maxFailedRowPercent: 0,
  });
  const body = received[0]?.body.toString() ?? '';
  expect(body).toContain('name="project"\r\n\r\nInvoice@2');
  expect(body).toContain('[{"unit_price":"9.50"}]');
  expect(body).not.toContain('name="pdf"');
});
