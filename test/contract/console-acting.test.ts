import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { openPackage } from '#fill/package/open-package.ts';
import { ServerRefusal } from '../../web/src/api/server-refusal.ts';
import { badRow, goodRows, rowsJson } from '../support/bulkfill-client.ts';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  SEAL_KEY,
  sealedBy,
  startBulkfillServer,
  type TestAccount,
} from '../support/bulkfill-server.ts';
import { rowpress } from '../support/cli.ts';
import { type ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';
import { box, layoutOf, openArchive } from '../support/fill-cli.ts';

let server: BulkfillServer;
let operator: ConsoleClient;
let account: TestAccount;
beforeAll(async () => {
  server = await startBulkfillServer();
  operator = await signedIn(server);
  account = await server.account();
});
afterAll(() => server.stop());

type Parts = Record<string, string | Uint8Array>;

function formOf(parts: Parts): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts))
    form.append(name, typeof value === 'string' ? value : new Blob([value as Uint8Array<ArrayBuffer>]));
  return form;
}

const seal = (parts: Parts = { layout: JSON.stringify(nameLayout), pdf: letterPdf }) =>
  operator.fetch('/packages', { method: 'POST', body: formOf(parts) });

async function run(parts: Parts, key: string, headers: Record<string, string> = {}): Promise<Response> {
  const sealed = new Uint8Array(await (await seal()).arrayBuffer());
  const body = formOf({ pdf: letterPdf, doqlo_file: sealed, max_failed_row_percent: '100', ...parts });
  const named = { 'x-rowpress-account': account.name, 'idempotency-key': key, ...headers };
  return operator.fetch('/acting/bulkfill/export-jobs', { method: 'POST', body, headers: named });
}

describe('sealing', () => {
  it('[CON18] a sealed layout: the bytes that the command line writes', async () => {
    const sealed = await seal();
    expect([sealed.status, sealed.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    const bytes = new Uint8Array(await sealed.arrayBuffer());
    expect(sealed.headers.get('x-package-sha256')).toBe(createHash('sha256').update(bytes).digest('hex'));
    const opened = openPackage(bytes, {
      codec: nativeCodec,
      trustedKeys: [sealedBy(SEAL_KEY)],
      maxBytes: 1e7,
    });
    expect(opened).toMatchObject({ ok: true, package: { layout: { overlays: [{ id: 'name' }] } } });
    const folder = await mkdtemp(join(tmpdir(), 'rowpress-seal-'));
    const [layout, pdf, out] = ['layout.json', 'source.pdf', 'out.doqlo'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await writeFile(layout, JSON.stringify(nameLayout));
    await writeFile(pdf, letterPdf);
    const { code } = await rowpress(
      ['layout', 'seal', '--layout', layout, '--pdf', pdf, '-o', out],
      server.env,
    );
    expect(code).toBe(0);
    const { readFile } = await import('node:fs/promises');
    expect(Buffer.compare(await readFile(out), bytes)).toBe(0);
    await rm(folder, { recursive: true });
  });

  it('[CON18] fonts and images: found by their file names', async () => {
    const form = formOf({ layout: JSON.stringify(nameLayout), pdf: letterPdf });
    form.append('assets', new Blob(['one']), 'logo.png');
    form.append('assets', new Blob(['two']), 'seal.png');
    form.append('assets/third.png', new Blob(['three']), 'x');
    const sealed = await operator.fetch('/packages', { method: 'POST', body: form });
    const bytes = new Uint8Array(await sealed.arrayBuffer());
    const opened = openPackage(bytes, {
      codec: nativeCodec,
      trustedKeys: [sealedBy(SEAL_KEY)],
      maxBytes: 1e7,
    });
    expect(opened.ok && [...opened.package.assets.keys()].sort()).toEqual([
      'assets/logo.png',
      'assets/seal.png',
      'assets/third.png',
    ]);
  });

  const broken = layoutOf([
    { id: 'good', type: 'text', ...box, value: { column: 'column_0' } },
    { id: 'bad', type: 'barcode', symbology: 'ean13', ...box, value: { static: 'not digits' } },
    { id: 'far', type: 'text', ...box, page: 9, value: { column: 'column_0' } },
  ]);
  it('[CON18] a layout with mistakes: each is named with its path and overlay', async () => {
    const strict = await seal({ layout: JSON.stringify(broken), pdf: letterPdf });
    expect(strict.status).toBe(422);
    expect(await strict.json()).toMatchObject({
      error: {
        code: 'LAYOUT_INVALID',
        details: [
          { path: 'overlays[1].value', overlay_id: 'bad', message: expect.any(String) },
          { path: 'overlays[2].page', overlay_id: 'far', message: 'page 9 of a PDF with 1' },
        ],
      },
    });
    const shapeless = layoutOf([
      { id: 'wide', type: 'text', ...box, width: -1, value: { column: 'column_0' } },
    ]);
    const { error } = (await (await seal({ layout: JSON.stringify(shapeless), pdf: letterPdf })).json()) as {
      error: object;
    };
    expect(error).toMatchObject({ details: [{ path: 'overlays[0].width', overlay_id: 'wide' }] });
  });

  it('[CON18] a PDF with a password: rejected with the code of the engine', async () => {
    const document = await PDFDocument.load(letterPdf);
    document.encrypt({ userPassword: 'secret', ownerPassword: 'owner' });
    const refused = await seal({ layout: JSON.stringify(nameLayout), pdf: await document.save() });
    expect([refused.status, await refused.json()]).toMatchObject([422, { error: { code: 'PDF_ENCRYPTED' } }]);
  });

  it.each([
    ['no JSON', { layout: '{', pdf: letterPdf }, 422, 'LAYOUT_INVALID'],
    ['no PDF', { layout: JSON.stringify(nameLayout), pdf: new Uint8Array([1, 2, 3]) }, 422, 'PDF_INVALID'],
    ['a missing part', { layout: JSON.stringify(nameLayout) }, 400, 'INVALID_FIELD'],
    [
      'an unknown part',
      { layout: JSON.stringify(nameLayout), pdf: letterPdf, more: 'x' },
      400,
      'INVALID_FIELD',
    ],
  ])('[CON18] %s: rejected', async (_, parts, status, code) => {
    const refused = await seal(parts as Parts);
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
      status,
      code,
    ]);
    expect(await server.temporaryFiles()).toEqual([]);
  });
});

describe('acting', () => {
  it('[CON9] a job run for an account: its links alone lead to its state and its download', async () => {
    const created = await run({ rows_json: rowsJson(goodRows(3)) }, 'acting-1', {
      'x-request-id': 'acting-request',
    });
    expect([created.status, created.headers.get('x-request-id')]).toEqual([200, 'acting-request']);
    const job = (await created.json()) as { job_id: string };
    const address = `/acting/bulkfill/export-jobs/${job.job_id}`;
    const headers = { cookie: operator.cookie ?? '' };
    const open = (path: string) =>
      fetch(`${server.url}/operator/v1${address}${path}?account=${account.id}`, { headers });
    const zip = openArchive(new Uint8Array(await (await open('/download')).arrayBuffer()));
    expect(zip.manifest.summary.produced_rows).toBe(3);
    expect(await (await open('/events')).text()).toContain('event: settled');
    const own = await fetch(`${server.url}/v1/bulkfill/export-jobs/${job.job_id}`, {
      headers: { authorization: `Bearer ${account.key}` },
    });
    expect(own.status).toBe(200);
    const { items } = (await operator.get<Listed<{ action: string; account: string }>>('/audit')).body;
    const [start, download] = ['job.created', 'artifact.downloaded'].map((action) =>
      items.find((item) => item.action === action),
    );
    expect(start).toMatchObject({ account: account.name, target: '/export-jobs' });
    expect(download).toMatchObject({ target: `/export-jobs/${job.job_id}/download` });
  });

  it('[CON9] an error of a surface: keeps the format of that surface', async () => {
    const named = { 'x-rowpress-account': account.name };
    const bulkfill = await operator.get('/acting/bulkfill/export-jobs/none', named);
    expect(bulkfill.body).toEqual({ code: 'INVALID_JOB_ID', message: expect.any(String) });
    const people = await operator.get('/acting/subscribers/subscribers/none', named);
    expect(people.body.error).toMatchObject({ type: 'not_found', code: 'resource_not_found' });
    const ingest = await operator.fetch('/acting/ingest/quarantine/none', { headers: named });
    expect([ingest.status, ingest.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  it('[CON9] an operator who acts: has all scopes, and the partner that the request names', async () => {
    const named = { 'x-rowpress-account': account.name, 'content-type': 'application/json' };
    const person = await operator.request('POST', '/acting/subscribers/subscribers', {
      headers: named,
      body: JSON.stringify({ email: 'ada@example.com' }),
    });
    expect(person.status).toBe(201);
    const send = (partner: string) =>
      operator.request('POST', '/acting/ingest/master/uoms', {
        headers: {
          ...named,
          'x-rowpress-partner': partner,
          'x-correlation-id': '0190a000-0000-7000-8000-000000000001',
        },
        body: JSON.stringify({ items: [{ source_id: 'EA' }] }),
      });
    expect((await send('north')).status).toBe(200);
    const requests = await operator.get(
      `/acting/ingest/requests/0190a000-0000-7000-8000-000000000001?account=${account.name}&partner=north`,
    );
    expect(requests.status).toBe(200);
    const elsewhere = await operator.get(
      `/acting/ingest/requests/0190a000-0000-7000-8000-000000000001?account=${account.name}`,
    );
    expect(elsewhere.status).toBe(404);
  });

  it('[CON9] an account name that a header cannot contain: encoded', async () => {
    for (const name of ['株式会社', '100 %', 'a%20b']) {
      expect((await operator.post('/accounts', { name })).status).toBe(201);
      const headers = { 'x-rowpress-account': encodeURIComponent(name) };
      expect((await operator.get('/acting/bulkfill/export-jobs', headers)).status).toBe(200);
      const query = `/acting/bulkfill/export-jobs?account=${encodeURIComponent(name)}`;
      expect((await operator.get(query)).status).toBe(200);
    }
  });

  it.each([
    ['no account', {}, 400, 'ACCOUNT_REQUIRED'],
    ['an unknown account', { 'x-rowpress-account': 'nobody' }, 404, 'ACCOUNT_UNKNOWN'],
  ])('[CON9] %s: rejected', async (_, headers, status, code) => {
    const refused = await operator.get('/acting/bulkfill/export-jobs', headers as Record<string, string>);
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
  });

  it('[CON9][CON5] a write without the CSRF token or the header: rejected', async () => {
    const headers = { 'x-rowpress-account': account.name, 'x-csrf-token': 'x' };
    const refused = await operator.request('POST', '/acting/subscribers/tags', { headers });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'CSRF_TOKEN_INVALID']);
    const query = await operator.request('DELETE', `/acting/bulkfill/export-jobs/x?account=${account.name}`);
    expect(query.body.error.code).toBe('ACCOUNT_REQUIRED');
  });

  it('[CON10] the cookie on public routes, and a key on operator routes: not accepted', async () => {
    const headers = {
      cookie: operator.cookie ?? '',
      'x-csrf-token': operator.csrf ?? '',
      'x-rowpress-account': account.name,
    };
    for (const path of ['/v1/bulkfill/export-jobs', '/v1/subscribers', '/wms-ingest/v1/quarantine'])
      expect((await fetch(server.url + path, { headers })).status).toBe(401);
    const key = { authorization: `Bearer ${account.key}`, 'x-rowpress-account': account.name };
    for (const path of ['/operator/v1/jobs', '/operator/v1/acting/bulkfill/export-jobs'])
      expect((await fetch(server.url + path, { headers: key })).status).toBe(401);
  });

  it('[SUB77] an upload link used by an operator: its token is not in the audit list', async () => {
    const headers = { 'x-rowpress-account': account.name };
    const begun = await operator.request<{ data: { upload_url: string } }>(
      'POST',
      '/acting/subscribers/jobs/subscriber-import-uploads',
      { headers },
    );
    expect(begun.status).toBe(201);
    const token = begun.body.data.upload_url.split('/').at(-1) ?? '';
    const sent = await operator.fetch(`/acting/subscribers/uploads/${token}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'text/csv' },
      body: 'Email\nada@example.com\n',
    });
    expect([sent.status, sent.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { items } = (await operator.get<Listed<{ action: string; target: string }>>('/audit')).body;
    expect(items[0]).toMatchObject({ action: 'subscribers.put', target: '/uploads/:token' });
    expect(JSON.stringify(items)).not.toContain(token);
  });

  it('[CON11] an inactive account: can be read but not changed', async () => {
    const idle = await server.account();
    await operator.patch(`/accounts/${idle.id}`, { active: false });
    const headers = { 'x-rowpress-account': idle.id };
    expect((await operator.get('/acting/bulkfill/export-jobs', headers)).status).toBe(200);
    const refused = await run({ rows_json: rowsJson([badRow]) }, 'idle', headers);
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { code: 'BF_EXPORT_API_KEY_INACTIVE', message: expect.any(String) },
    ]);
  });
});

it.each([
  ['/jobs/none', 'NOT_FOUND', 'x-request-id'],
  [
    '/acting/bulkfill/export-jobs/00000000-0000-4000-8000-000000000000',
    'EXPORT_JOB_NOT_FOUND',
    'x-request-id',
  ],
  ['/acting/subscribers/tags/none', 'resource_not_found', 'x-mailrith-request-id'],
  ['/acting/ingest/master/skus/none', 'not-found', 'traceparent'],
])('[CON54] an error of %s: the web app reads code, message and request id', async (path, code, header) => {
  const response = await operator.fetch(path, { headers: { 'x-rowpress-account': account.name } });
  const refusal = new ServerRefusal(response.status, await response.json(), response.headers);
  expect([refusal.status, refusal.code]).toEqual([404, code]);
  expect(refusal.message).not.toContain('status 404');
  expect(refusal.requestId).toMatch(/./);
  expect(response.headers.get(header)).toContain(refusal.requestId);
});
