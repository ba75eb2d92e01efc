import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { publicKeyOf } from '#fill/package/signed-statement.ts';
import { manifestSignature } from '#fill/results/manifest-signature.ts';
import { centralLength, localHeader, writeCentral } from '#fill/zip/zip-format.ts';
import { ArchiveDirectory } from '../../clients/typescript/src/archive-directory.ts';
import { Rowpress } from '../../clients/typescript/src/rowpress.ts';
import { drop, json, type Received, type Reply, startScriptedServer } from '../support/scripted-server.ts';

const JOB = '0190d8a3-0000-7000-8000-000000000001';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface ZipChanges {
  /** The names in the directory, where they are not those of the entries. */
  readonly listed?: Readonly<Record<string, string>>;
  /** Extra fields of every header, and of every record of the directory. */
  readonly headerExtra?: Buffer;
  readonly recordExtra?: Buffer;
}

/** A ZIP as the server writes it: sizes in the local headers, the manifest last, then the directory. */
function zipOf(files: Readonly<Record<string, string>>, changes: ZipChanges = {}): Buffer {
  const { listed = {}, headerExtra = Buffer.alloc(0), recordExtra = Buffer.alloc(0) } = changes;
  const records: Buffer[] = [];
  let at = 0;
  const entries = Object.entries(files).map(([name, text]) => {
    const content = deflateRawSync(text);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt32LE(text.length, 22);
    head.writeUInt16LE(name.length, 26);
    head.writeUInt16LE(headerExtra.length, 28);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    head.copy(record, 8, 6, 28);
    record.writeUInt16LE(recordExtra.length, 30);
    record.writeUInt32LE(at, 42);
    records.push(Buffer.concat([record, Buffer.from(listed[name] ?? name), recordExtra]));
    at += head.length + name.length + headerExtra.length + content.length;
    return Buffer.concat([head, Buffer.from(name), headerExtra, content]);
  });
  return Buffer.concat([...entries, ...records, Buffer.from('PK\u0005\u0006'.padEnd(22, '\0'))]);
}
const manifestOf = (rows: Readonly<Record<string, string>>, options: object = {}) =>
  JSON.stringify({
    options,
    row_results: Object.entries(rows).map(([file_name, digest]) => ({ file_name, sha256: digest })),
  });
/** Text that does not compress well. */
const noise = (length: number) =>
  Array.from({ length: length / 64 }, (_, number) => sha256(String(number))).join('');
const row1 = `%PDF ${noise(3_000)}`;
const row2 = `%PDF ${noise(90_000)}`;
const archive = zipOf({
  'row_1.pdf': row1,
  'row_2.pdf': row2,
  'manifest.json': manifestOf({ 'row_1.pdf': sha256(row1), 'row_2.pdf': sha256(row2) }),
});

/** Sends `bytes` with ranges. With `limit`, the client's connection breaks after so many bytes of the response. */
const file =
  (bytes: Buffer, { limit = Infinity, etag = '"v1"', ranges = true } = {}): Reply =>
  ({ headers }: Received, res: ServerResponse) => {
    const from =
      ranges && headers['if-range'] === etag ? Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1]) : 0;
    const part = bytes.subarray(from);
    res
      .writeHead(from > 0 ? 206 : 200, {
        etag,
        'content-length': part.length,
        ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
        ...(part.length > limit && { 'x-break-after': limit }),
      })
      .end(part);
  };

/** Breaks responses where the server says so. A real socket may lose bytes that arrived before it broke. */
const breakingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const limit = response.headers.get('x-break-after');
  if (limit === null) return response;
  const bytes = new Uint8Array(await response.arrayBuffer()).subarray(0, Number(limit));
  let sent = false;
  const body = new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated'));
      else controller.enqueue(bytes);
      sent = true;
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
};

async function target() {
  const folder = await mkdtemp(join(tmpdir(), 'rowpress-download-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { folder, path: join(folder, 'out.zip') };
}
const clientOf = (baseUrl: string) =>
  new Rowpress({ baseUrl, apiKey: 'key', retries: 3, fetch: breakingFetch }).bulkfill;

test('[SDK8] a connection that breaks: the download resumes where it ended', async () => {
  const { path } = await target();
  const broken = file(archive, { limit: 12_000 });
  const { url, received } = await startScriptedServer(broken, drop, broken, broken, file(archive));
  expect(await clientOf(url).download(JOB, path)).toEqual({ bytes: archive.length, verifiedRows: 2 });
  expect((await readFile(path)).equals(archive)).toBe(true);
  const asked = received.map(({ headers }) => [headers.range, headers['if-range']]);
  const from = (start: number) => [`bytes=${start}-`, '"v1"'];
  expect(asked).toEqual([[undefined, undefined], ...[12_000, 12_000, 24_000, 36_000].map(from)]);
});

test('[SDK8] a server without ranges: what was received is not delivered twice', async () => {
  const broken = file(archive, { limit: 20_000, ranges: false });
  const { url } = await startScriptedServer(broken, file(archive, { ranges: false }));
  const bytes = await new Response(await clientOf(url).stream(JOB)).arrayBuffer();
  expect(Buffer.from(bytes).equals(archive)).toBe(true);
});

test('[SDK8] a file that changes during the download: fails and leaves the old file', async () => {
  const { folder, path } = await target();
  await writeFile(path, 'old');
  const { url } = await startScriptedServer(file(archive, { limit: 9_000 }), file(archive, { etag: '"v2"' }));
  await expect(clientOf(url).download(JOB, path)).rejects.toMatchObject({ code: 'DOWNLOAD_CHANGED' });
  expect(await readFile(path, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['out.zip']);
});

test('[SDK8] a row that does not match its SHA-256, or is missing: the download fails', async () => {
  const digests = { 'row_1.pdf': sha256(row1), 'row_2.pdf': sha256(row2) };
  const damaged = {
    'a changed row': zipOf({
      'row_1.pdf': row1,
      'row_2.pdf': `${row2} `,
      'manifest.json': manifestOf(digests),
    }),
    'a missing row': zipOf({ 'row_1.pdf': row1, 'manifest.json': manifestOf(digests) }),
    'no row': zipOf({ 'manifest.json': manifestOf(digests) }),
    'no manifest': zipOf({ 'row_1.pdf': row1 }),
  };
  for (const [name, bytes] of Object.entries(damaged)) {
    const { folder, path } = await target();
    const { url } = await startScriptedServer(file(bytes));
    await expect(clientOf(url).download(JOB, path), name).rejects.toMatchObject({
      code: 'CHECKSUM_MISMATCH',
    });
    expect(await readdir(folder)).toEqual([]);
    await expect(new Response(await clientOf(url).stream(JOB)).arrayBuffer(), name).rejects.toThrow();
    expect(await clientOf(url).download(JOB, path, { verify: false })).toEqual({ bytes: bytes.length });
  }
  const dry = zipOf({ 'manifest.json': manifestOf(digests, { dry_run: true }) });
  const { url } = await startScriptedServer(file(dry));
  const { path } = await target();
  expect(await clientOf(url).download(JOB, path)).toEqual({ bytes: dry.length, verifiedRows: 0 });
});

test('[SDK8] entries with other names in the directory or in an extra field: the download fails', async () => {
  const files = {
    'row_1.pdf': row1,
    'row_2.pdf': row2,
    'manifest.json': manifestOf({ 'row_1.pdf': sha256(row1), 'row_2.pdf': sha256(row2) }),
  };
  const second = Buffer.from('\u0075\u0070\u000e\u0000\u00011234row_2.pdf', 'latin1');
  const unlisted = zipOf(files);
  const damaged = {
    'swapped names': zipOf(files, { listed: { 'row_1.pdf': 'row_2.pdf', 'row_2.pdf': 'row_1.pdf' } }),
    'a second name in the headers': zipOf(files, { headerExtra: second }),
    'a second name in the directory': zipOf(files, { recordExtra: second }),
    'no directory': unlisted.subarray(0, unlisted.indexOf('PK\u0001\u0002')),
  };
  for (const [name, bytes] of Object.entries(damaged)) {
    const { path } = await target();
    const { url } = await startScriptedServer(file(bytes));
    await expect(clientOf(url).download(JOB, path), name).rejects.toMatchObject({
      code: 'CHECKSUM_MISMATCH',
    });
  }
});

test('[SDK8] a record of the server for an entry beyond 4 GiB: fits the entry at this place alone', () => {
  const entry = { name: 'Grün.pdf', crc32: 7, deflatedLength: 5, plainLength: 9 };
  const offset = 5_000_000_000;
  const record = new Uint8Array(centralLength(entry.name, offset));
  writeCentral(record, new DataView(record.buffer), 0, entry, offset);
  for (const [place, length] of [
    [offset, record.length],
    [offset + 1, null],
  ] as const) {
    const directory = new ArchiveDirectory();
    expect(directory.addEntry(localHeader(entry), place)).toBe(true);
    expect(directory.addRecord(record.subarray(0, record.length - 1))).toBe(0);
    expect(directory.addRecord(record)).toBe(length);
    expect(directory.isComplete).toBe(length !== null);
  }
});

const redirectTo =
  (location: string): Reply =>
  (_received, res) =>
    void res.writeHead(302, { location }).end();
const expired: Reply = (_received, res) =>
  void res
    .writeHead(403, { 'content-type': 'application/xml' })
    .end('<Error><Code>AccessDenied</Code></Error>');

test('[SDK8] a redirect to an object store: followed by range and without the key; an expired link: requested again', async () => {
  const { path } = await target();
  const cut = file(archive, { limit: 12_000 });
  const store = await startScriptedServer(expired, cut, expired, file(archive));
  const links = [1, 2, 3, 4].map((n) => redirectTo(`${store.url}/file?X-Amz-Signature=${n}`));
  const { url, received } = await startScriptedServer(...links);
  expect(await clientOf(url).download(JOB, path)).toEqual({ bytes: archive.length, verifiedRows: 2 });
  expect((await readFile(path)).equals(archive)).toBe(true);
  expect(store.received.map((request) => request.url.at(-1))).toEqual(['1', '2', '3', '4']);
  const ranges = store.received.map(({ headers }) => headers.range);
  expect(ranges).toEqual([undefined, undefined, 'bytes=12000-', 'bytes=12000-']);
  for (const { headers } of store.received)
    expect([headers.authorization, headers['x-request-id']]).toEqual([undefined, undefined]);
  for (const { headers } of received) expect(headers.authorization).toBe('Bearer key');
});

test('[SDK8] a redirect within the server: keeps the key; a presigned URL at the same origin: gets none', async () => {
  for (const [location, key] of [
    ['/elsewhere', 'Bearer key'],
    ['/bucket/file?X-Amz-Signature=1', undefined],
  ] as const) {
    const { url, received } = await startScriptedServer(redirectTo(location), file(archive));
    await new Response(await clientOf(url).stream(JOB)).arrayBuffer();
    expect([received[1]?.url, received[1]?.headers.authorization]).toEqual([location, key]);
  }
});

test('[SDK8] links that the store always rejects: the download fails after its retries', async () => {
  const store = await startScriptedServer(expired);
  const { url } = await startScriptedServer(redirectTo(`${store.url}/file`));
  await expect(clientOf(url).stream(JOB)).rejects.toMatchObject({ code: 'LINK_REJECTED', status: 403 });
  expect(store.received).toHaveLength(4);
});

test('[SDK7] events that do not arrive: the job is read until it has settled', async () => {
  const open = { job_id: JOB, status: 'processing' };
  const broken: Reply = (_received, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(': hello\n\nevent: progress\ndata: {"status":"processing","rows_done":1}\n\n', () =>
      res.destroy(),
    );
  };
  const missing = json(404, { code: 'ROUTE_NOT_FOUND', message: 'No events.' });
  const read = json(200, open);
  const { url, received } = await startScriptedServer(
    ...[read, broken, read, missing, read, drop, read, read],
    json(200, { ...open, status: 'completed' }),
  );
  expect(await clientOf(url).wait(JOB)).toEqual({ jobId: JOB, status: 'completed' });
  const events = received.filter((request) => request.url.endsWith('/events'));
  expect(events).toHaveLength(3);
});

test('[SDK12] links: relative and absolute ones are followed, and the key is not sent to them', async () => {
  const store = await startScriptedServer(file(Buffer.from('a,b\n')));
  const base = (download_url: string) =>
    json(200, { data: { id: 'e', status: 'Completed', download_url, error_message: null } });
  for (const link of [`${store.url}/elsewhere`, '/v1/downloads/e']) {
    const replies = link.startsWith('/')
      ? [base(link), base(link), file(Buffer.from('a,b\n'))]
      : [base(link)];
    const { url, received } = await startScriptedServer(...replies);
    const result = await new Rowpress({ baseUrl: `${url}/base/`, apiKey: 'key' }).subscribers.exportAndWait();
    expect(await result.text()).toBe('a,b\n');
    const [used] = link.startsWith('/') ? received.slice(-1) : store.received;
    expect(used?.headers.authorization).toBeUndefined();
    expect(used?.url).toBe(link.startsWith('/') ? '/base/v1/downloads/e' : '/elsewhere');
    expect(received[0]?.headers.authorization).toBe('Bearer key');
  }
});

test('[SEC28] a manifest or a signature that was changed: the download fails and leaves no file', async () => {
  const manifest = manifestOf({ 'row_1.pdf': sha256(row1) });
  const key = new Uint8Array(32).fill(7);
  const signature = manifestSignature(sha256(manifest), key);
  const signedBy = [publicKeyOf(key)];
  const zips = [
    { 'manifest.json': manifest, 'manifest.sig': signature },
    { 'manifest.json': `${manifest} `, 'manifest.sig': signature },
    { 'manifest.json': manifest, 'manifest.sig': `${signature} ` },
    { 'manifest.json': manifest, 'manifest.sig': signature.replace(/.("\})$/, (_, end) => `x${end}`) },
    { 'manifest.json': manifest, 'manifest.sig': '{}' },
  ].map((last) => zipOf({ 'row_1.pdf': row1, ...last }));
  const outcomes: string[] = [];
  for (const zip of zips) {
    const { folder, path } = await target();
    const { url } = await startScriptedServer(file(zip));
    const done = await clientOf(url)
      .download(JOB, path, { signedBy })
      .catch((error) => error);
    outcomes.push(done.code ?? `verified ${done.verifiedRows}`);
    expect(await readdir(folder)).toEqual(done.code === undefined ? ['out.zip'] : []);
  }
  expect(outcomes).toEqual(['verified 1', ...Array(4).fill('SIGNATURE_NOT_TRUSTED')]);
});

const merged = Buffer.from(`%PDF ${noise(60_000)}`);
const digest = `"${createHash('sha256').update(merged).digest('hex')}"`;

test('[SDK8] a merged PDF: resumes, is checked against its ETag and appears only when it is complete', async () => {
  const { path } = await target();
  const broken = file(merged, { limit: 20_000, etag: digest });
  const { url, received } = await startScriptedServer(broken, broken, file(merged, { etag: digest }));
  expect(await clientOf(url).downloadMerged(JOB, path)).toEqual({ bytes: merged.length });
  expect((await readFile(path)).equals(merged)).toBe(true);
  expect(received.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=20000-', 'bytes=40000-']);
  expect(new Set(received.map(({ url: called }) => called))).toEqual(
    new Set([`/v1/bulkfill/export-jobs/${JOB}/merged.pdf`]),
  );
});

test('[SDK8] a merged PDF that does not match: fails before its last chunk and leaves no file', async () => {
  const { folder, path } = await target();
  const changed = Buffer.concat([merged.subarray(0, -1), Buffer.from('x')]);
  const { url } = await startScriptedServer(file(changed, { etag: digest }));
  await expect(clientOf(url).downloadMerged(JOB, path)).rejects.toMatchObject({ code: 'CHECKSUM_MISMATCH' });
  expect(await readdir(folder)).toEqual([]);
  await expect(new Response(await clientOf(url).streamMerged(JOB)).arrayBuffer()).rejects.toThrow();
  expect(await clientOf(url).downloadMerged(JOB, path, { verify: false })).toEqual({ bytes: merged.length });
});

test('[SDK8] a merged PDF whose ETag is not a SHA-256: is checked against the manifest', async () => {
  const manifest = (sha: string) =>
    json(200, { merged: { file_name: 'merged.pdf', sha256: sha }, row_results: [] });
  const right = await startScriptedServer(file(merged), manifest(digest.slice(1, -1)));
  const streamed = await new Response(await clientOf(right.url).streamMerged(JOB)).arrayBuffer();
  expect(Buffer.from(streamed).equals(merged)).toBe(true);
  const wrong = await startScriptedServer(file(merged), manifest('0'.repeat(64)));
  const { path } = await target();
  await expect(clientOf(wrong.url).downloadMerged(JOB, path)).rejects.toMatchObject({
    code: 'CHECKSUM_MISMATCH',
  });
});
