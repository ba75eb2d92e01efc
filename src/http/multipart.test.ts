import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readRaw, sendRaw, startServer, testSettings } from '../../test/support/http.ts';
import { openDirectorySink, uploadSurface } from '../../test/support/upload-surface.ts';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

async function start(settings = testSettings) {
  const sink = await openDirectorySink();
  const server = await startServer({ settings, surfaces: [uploadSurface(sink)] });
  const post = async (body: string | FormData, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}/v1/bulkfill/uploads`, { method: 'POST', body, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { ...server, sink, post };
}

function form(entries: [string, string | Blob][]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

const crlf = (...lines: string[]) => lines.join('\r\n');
const typed = { 'content-type': 'multipart/form-data; boundary=B' };

test('[MPT1] parts of a form: are hashed while they are read, and returned with name, size and digest', async () => {
  const { post, sink } = await start();
  const bytes = randomBytes(90_000);
  const answer = await post(
    form([
      ['percent', 'é 10'],
      ['pdf', new File([bytes], '../x.pdf', { type: 'application/pdf' })],
    ]),
  );
  expect(answer).toEqual({
    status: 200,
    body: {
      percent: { kind: 'text', value: 'é 10', sha256: sha256('é 10') },
      pdf: {
        kind: 'file',
        sizeBytes: 90_000,
        sha256: sha256(bytes),
        fileName: 'x.pdf',
        mediaType: 'application/pdf',
      },
    },
  });
  expect(await sink.list()).toEqual([]);
});

test('[MPT1] a text sent as a file, or a file sent as a text: the rule of the field decides; an empty file is kept', async () => {
  const { post } = await start();
  const answer = await post(
    form([
      ['percent', new File(['7'], 'p.txt')],
      ['pdf', '%PDF'],
    ]),
  );
  expect(answer.body).toMatchObject({ percent: { value: '7' }, pdf: { kind: 'file', sizeBytes: 4 } });
  const empty = await post(form([['pdf', new File([], 'empty.pdf')]]));
  expect(empty.body).toMatchObject({ pdf: { kind: 'file', sizeBytes: 0, sha256: sha256('') } });
});

test('[MPT2] unknown, repeated, oversized and unreadable fields: are named, and no temporary file is left', async () => {
  const { post, sink } = await start();
  const pdf: [string, Blob] = ['pdf', new Blob(['x'])];
  const cases: [[string, string | Blob][], string, string][] = [
    [[pdf, ['colour', 'red']], 'UNKNOWN_FIELD', 'colour'],
    [[pdf, ['constructor', 'x']], 'UNKNOWN_FIELD', 'constructor'],
    [[pdf, pdf], 'DUPLICATE_FIELD', 'pdf'],
    [
      [
        ['percent', '1'],
        ['percent', '1'],
      ],
      'DUPLICATE_FIELD',
      'percent',
    ],
    [[['pdf', new Blob([randomBytes(100_001)])]], 'PDF_TOO_LARGE', 'pdf'],
    [[pdf, ['percent', '1'.repeat(21)]], 'PDF_TOO_LARGE', 'percent'],
    [[pdf, ['percent', new Blob([Uint8Array.of(0xff)])]], 'INVALID_FIELD', 'percent'],
  ];
  for (const [entries, code, named] of cases) {
    const { body } = await post(form(entries));
    expect(body.code, code).toBe(code);
    expect(body.message).toContain(named);
    expect(await sink.list()).toEqual([]);
  }
});

test('[MPT2] a large upload that is rejected early: the client receives the response', async () => {
  const { post, sink } = await start();
  const { status } = await post(
    form([
      ['colour', 'red'],
      ['pdf', new Blob([randomBytes(20_000_000)])],
    ]),
  );
  expect(status).toBe(400);
  expect(await sink.list()).toEqual([]);
});

test('[MPT3] a malformed form of any kind: is rejected', async () => {
  const { post, sink } = await start();
  const part = (head: string) => crlf('--B', head, '', 'x', '--B--', '');
  const bodies: [string, Record<string, string>][] = [
    [part('Content-Disposition: form-data; name="pdf"'), { 'content-type': 'multipart/form-data' }],
    [
      part('Content-Disposition: form-data; name="pdf"'),
      { 'content-type': 'multipart/form-data; boundary=C' },
    ],
    [part('Content-Disposition: form-data'), typed],
    [part('Content-Disposition: form-data; name=""'), typed],
    [part(crlf('Content-Disposition: form-data; name="pdf"', 'Content-Transfer-Encoding: base64')), typed],
    ['junk', typed],
    ['', typed],
    [crlf('--B', 'Content-Disposition: form-data; name="pdf"', '', 'half'), typed],
    [crlf('--B', 'Content-Disposition: form-data; name="pdf"', '', 'half', '--'), typed],
    [crlf('--B', 'Content-Disp'), typed],
  ];
  for (const [body, headers] of bodies) {
    const answer = await post(body, headers);
    expect([answer.status, answer.body.code], body).toEqual([400, 'INVALID_MULTIPART']);
    expect(await sink.list()).toEqual([]);
  }
});

test('[MPT3] a form without parts: is accepted', async () => {
  const { post } = await start();
  expect((await post('--B--\r\n', typed)).status).toBe(200);
});

test('[MPT3] another media type: is rejected', async () => {
  const { post } = await start();
  expect((await post('{}', { 'content-type': 'application/json' })).body.code).toBe('INVALID_MULTIPART');
  expect((await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).body.code).toBe(
    'INVALID_MULTIPART',
  );
});

test('[MPT4] more parts, longer headers or longer names than the limits: are rejected', async () => {
  const { post, sink } = await start();
  const many = Array.from({ length: 2000 }, () =>
    crlf('--B', 'Content-Disposition: form-data; name="z"', '', 'x', ''),
  );
  expect((await post(`${many.join('')}--B--\r\n`, typed)).status).toBe(400);
  const name = 'n'.repeat(50_000);
  const long = await post(
    crlf('--B', `Content-Disposition: form-data; name="${name}"`, '', 'x', '--B--', ''),
    typed,
  );
  expect(long.status).toBe(400);
  expect(String(long.body.message).length).toBeLessThan(300);
  expect(await sink.list()).toEqual([]);
});

test('[MPT5] an upload that stalls: is aborted, and its temporary file is deleted', async () => {
  const { port, sink } = await start({ ...testSettings, requestTimeoutMs: 1000 });
  const body = crlf(
    '--B',
    'Content-Disposition: form-data; name="pdf"; filename="a"',
    '',
    'x'.repeat(10_000),
  );
  const head = crlf(
    'POST /v1/bulkfill/uploads HTTP/1.1',
    'Host: x',
    'Content-Type: multipart/form-data; boundary=B',
    'Content-Length: 90000',
    '',
    '',
  );
  const slow = await sendRaw(port, head + body, false);
  expect(readRaw(slow).status).toBe(408);
  await expect.poll(() => sink.list()).toEqual([]);
  await sendRaw(port, head + body, true);
  await expect.poll(() => sink.list()).toEqual([]);
});

test('[MPT5] a full disk: is reported as a storage error, not as an invalid request', async () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const sink = {
    receive: async () => {
      throw full;
    },
  };
  const { url } = await startServer({ surfaces: [uploadSurface(sink)] });
  const body = form([['pdf', new Blob([randomBytes(50_000)])]]);
  const response = await fetch(`${url}/v1/bulkfill/uploads`, { method: 'POST', body });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    503,
    'STORAGE_FULL',
  ]);
});

test('[MPT3] a part whose headers run into the boundary: ends the read instead of blocking it', async () => {
  const { post } = await start();
  const body = crlf(
    '--B',
    'Content-Disposition: form-data; name="pdf"',
    '',
    '--B--',
    '--B',
    '',
    '',
    'x',
    '--B--',
    '',
  );
  expect((await post(body, typed)).body.code).toBe('INVALID_MULTIPART');
  const large = body + 'x'.repeat(5_000_000);
  expect((await post(large, typed)).body.code).toBe('INVALID_MULTIPART');
});
