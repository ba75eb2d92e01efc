import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import type { ApiClient, Json } from '../support/subscribers-node.ts';
import { EMAIL, NAME, openScene, sharedScene } from '../support/subscribers-scene.ts';
import { workbook } from '../support/workbook.ts';

const scene = sharedScene();
const UPLOADS = '/v1/jobs/subscriber-import-uploads';
const IMPORTS = '/v1/jobs/subscriber-imports';
const CSV = 'Email,Name\nada@example.com,Ada\nbob@example.com,Bob\n';

const begin = async (api: ApiClient): Promise<Json> => (await api.post(UPLOADS)).body.data;
const put = (url: string, body: string | Uint8Array, type = 'text/csv') =>
  fetch(url, { method: 'PUT', body: Buffer.from(body), headers: { 'content-type': type } });

test('[SUB40][SUB43] an upload: pending, ready with headers and proposed mappings, queued by its import', async () => {
  const api = await scene().client('upload');
  const city = (await api.post('/v1/custom-fields', { label: 'Home City', type: 'Text' })).body.data;
  const created = await api.post(UPLOADS, { file_name: 'people.csv' });
  expect(created.status).toBe(201);
  const upload = created.body.data;
  expect(upload).toMatchObject({
    status: 'Pending',
    headers: [],
    row_count: null,
    size_bytes: null,
    import_job_id: null,
    file_name: 'people.csv',
  });
  expect((await api.get(upload.self)).body.data.upload_url).toBeNull();
  const arrived = await put(
    upload.upload_url,
    'E-Mail Address,Full Name,home_city\nada@example.com,Ada,London\n',
  );
  expect(arrived.status).toBe(200);
  const ready = (await api.get(upload.self)).body.data;
  expect(ready).toMatchObject({
    status: 'Ready',
    headers: ['E-Mail Address', 'Full Name', 'home_city'],
    row_count: 1,
    size_bytes: 62,
  });
  expect(ready.proposed_mappings).toEqual([
    { csv_column: 'E-Mail Address', field: { type: 'email' } },
    { csv_column: 'Full Name', field: { type: 'name' } },
    { csv_column: 'home_city', field: { type: 'custom-field', custom_field_id: city.id } },
  ]);
  const { status, body } = await api.post(IMPORTS, {
    upload_id: upload.id,
    mappings: ready.proposed_mappings,
  });
  expect(status).toBe(202);
  expect(await api.ended(body.data.self)).toMatchObject({ status: 'Completed', created_count: 1 });
  expect((await api.get(upload.self)).body.data).toMatchObject({
    status: 'Queued',
    import_job_id: body.data.id,
    queued_at: expect.any(String),
  });
});

test('[SUB40][SUB42] an uploaded file: can be replaced until an import uses it, and is used once', async () => {
  const api = await scene().client('replace');
  const upload = await begin(api);
  expect((await put(upload.upload_url, 'Email,Name\nwrong@example.com,W\n')).status).toBe(200);
  expect((await put(upload.upload_url, CSV, 'application/octet-stream')).status).toBe(200);
  const body = { upload_id: upload.id, mappings: [EMAIL, NAME] };
  const both = await Promise.all([api.post(IMPORTS, body), api.post(IMPORTS, body)]);
  expect(both.map((answer) => answer.status).sort()).toEqual([202, 409]);
  const accepted = both.find((answer) => answer.status === 202);
  expect(await api.ended(accepted?.body.data.self)).toMatchObject({ created_count: 2 });
  expect((await put(upload.upload_url, CSV)).status).toBe(409);
  expect((await api.get(IMPORTS)).body.data).toHaveLength(1);
});

test('[SUB41] an XLSX workbook under any name: its first sheet is read', async () => {
  const api = await scene().client('xlsx');
  const upload = await begin(api);
  const sheet = workbook([
    ['Email', 'Name', 'Score'],
    ['ada@example.com', 'Ada, "Countess" <of> Lovelace', 12.5],
    ['bob@example.com', 'Bob', 3],
  ]);
  const arrived = await put(upload.upload_url, sheet);
  expect(await arrived.json()).toMatchObject({
    data: { status: 'Ready', headers: ['Email', 'Name', 'Score'], row_count: 2 },
  });
  const { body } = await api.post(IMPORTS, { upload_id: upload.id, mappings: [EMAIL, NAME] });
  expect(await api.ended(body.data.self)).toMatchObject({ created_count: 2 });
  expect((await api.get('/v1/subscribers?email=ada@example.com')).body.data[0].name).toBe(
    'Ada, "Countess" <of> Lovelace',
  );
  const broken = await put((await begin(api)).upload_url, sheet.slice(0, 200));
  expect([broken.status, ((await broken.json()) as Json).error.code]).toEqual([400, 'invalid_csv']);
});

test('[SUB22] a file that cannot be read: rejected, and the upload stays pending', async () => {
  const api = await scene().client('unreadable');
  const upload = await begin(api);
  for (const bytes of [
    Buffer.from('Email,Name\na@b.co,Zo\xeb\n', 'latin1'),
    Buffer.from('Email\n"a\n'),
    Buffer.from(''),
    Buffer.from('Email\n'),
  ]) {
    const answer = await put(upload.upload_url, bytes);
    expect([answer.status, ((await answer.json()) as Json).error.code]).toEqual([400, 'invalid_csv']);
  }
  expect((await api.get(upload.self)).body.data.status).toBe('Pending');
  const early = await api.post(IMPORTS, { upload_id: upload.id, mappings: [EMAIL] });
  expect([early.status, early.body.error.type, early.body.error.code]).toEqual([
    409,
    'conflict',
    'upload_not_ready',
  ]);
});

test('[SUB22] a file above the limit: 413', async () => {
  const { api } = await openScene({ settings: { maxCsvBytes: 1_000 } });
  const answer = await put((await begin(api)).upload_url, `Email\n${'x'.repeat(2_000)}\n`);
  expect([answer.status, ((await answer.json()) as Json).error.code]).toEqual([413, 'csv_too_large']);
});

test('[SUB40] an upload link in a browser: a page with a form, and a result in words', async () => {
  const api = await scene().client('people');
  const upload = await begin(api);
  const page = await fetch(upload.upload_url);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('<form method="post" enctype="multipart/form-data">');
  const send = async (content: string) => {
    const form = new FormData();
    form.set('file', new File([content], 'list.csv', { type: 'text/csv' }));
    return fetch(upload.upload_url, { method: 'POST', body: form });
  };
  const refused = await send('Email\n"open\n');
  expect([refused.status, (await refused.text()).includes('never closed')]).toEqual([400, true]);
  const taken = await send(CSV);
  expect([taken.status, (await taken.text()).includes('2 rows')]).toEqual([200, true]);
  expect((await api.get(upload.self)).body.data).toMatchObject({
    status: 'Ready',
    file_name: 'list.csv',
    row_count: 2,
  });
  expect((await fetch(`${upload.upload_url}x`)).status).toBe(404);
});

test('[SUB42] an upload after an hour: deleted; late files and late imports are rejected', async () => {
  const clock = new ManualClock(new Date());
  const { api, node } = await openScene({ clock });
  const [empty, full] = [await begin(api), await begin(api)];
  expect((await put(full.upload_url, CSV)).status).toBe(200);
  clock.advance(3_600_001);
  expect((await api.get(full.self)).status).toBe(404);
  const late = await put(empty.upload_url, CSV);
  expect([late.status, ((await late.json()) as Json).error.code]).toEqual([400, 'upload_expired']);
  const refused = await api.post(IMPORTS, { upload_id: full.id, mappings: [EMAIL] });
  expect([refused.status, refused.body.error.code]).toEqual([400, 'upload_expired']);
  const stranger = await (await scene().client('stranger')).post(IMPORTS, {
    upload_id: full.id,
    mappings: [EMAIL],
  });
  expect([stranger.status, stranger.body.error.code]).toEqual([400, 'invalid_body']);
  clock.advance(86_400_000);
  expect(await node.sweepUploads()).toBe(2);
});

/** Returns the status line sent in response to these headers before the body is sent. */
async function answerToHeaders(address: string, method: string, type: string): Promise<string> {
  const { hostname, port, pathname, host } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write(
    `${method} ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nContent-Length: 900000000\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString().split('\r\n', 1)[0] ?? '';
}

test('[SUB44] a link that is not valid: refused from its headers, before any of the body', async () => {
  const api = await scene().client('early');
  const { upload_url: url } = await begin(api);
  const unknown = url.replace(/[^/]+$/, 'unknown');
  for (const method of ['PUT', 'POST'])
    for (const type of ['application/json', 'text/csv', 'multipart/form-data; boundary=x'])
      expect([method, type, await answerToHeaders(unknown, method, type)]).toEqual([
        method,
        type,
        'HTTP/1.1 404 Not Found',
      ]);
});

test('[SUB44] a JSON body instead of a file: refused without reading it', async () => {
  const api = await scene().client('json-upload');
  const { upload_url: url } = await begin(api);
  expect(await answerToHeaders(url, 'PUT', 'application/json')).toBe('HTTP/1.1 400 Bad Request');
  expect(await answerToHeaders(url, 'POST', 'application/json')).toBe('HTTP/1.1 400 Bad Request');
  expect((await put(url, CSV)).status).toBe(200);
});
