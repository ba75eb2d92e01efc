import { randomUUID } from 'node:crypto';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AttackServer, SMALL_SERVER_BYTES, watchHealth } from '../support/attack-server.ts';
import { letterPdf, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { box, layoutOf } from '../support/fill-cli.ts';
import { noisePng } from '../support/noise-png.ts';
import { workbook } from '../support/workbook.ts';

const MB = 1_000_000;
/** A frozen event loop is worse than a slow one; the machine may be busy with other tests. */
const LONGEST_SILENCE_MS = 20_000;

let server: AttackServer;
let bulkfill: string;
let subscribers: string;
beforeAll(async () => {
  server = await AttackServer.start({
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
    ROWPRESS_WORKERS: '2',
  });
  bulkfill = await server.key('bulkfill', 'attacker');
  subscribers = await server.key('subscribers', 'attacker');
});
afterAll(() => server?.stop());

type Status = number | 'closed';

async function send(path: string, key: string | undefined, init: RequestInit): Promise<Status> {
  const url = path.startsWith('http') ? path : `${server.url}${path}`;
  const headers = { ...(key && { authorization: `Bearer ${key}` }), ...(init.headers as object) };
  try {
    const response = await fetch(url, { ...init, headers });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 'closed';
  }
}

/** Runs the attack while polling `/healthz`, and expects the server to survive within its memory limit. */
async function attack(times: number, run: (n: number) => Promise<Status>): Promise<Status[]> {
  const silence = watchHealth(server.url);
  const statuses = await Promise.all(Array.from({ length: times }, (_, n) => run(n)));
  expect(await silence()).toBeLessThan(LONGEST_SILENCE_MS);
  expect(server.running).toBe(true);
  expect(server.peakResidentBytes()).toBeLessThan(SMALL_SERVER_BYTES);
  return statuses;
}

const others = (statuses: readonly Status[], documented: readonly Status[]) =>
  statuses.filter((status) => !documented.includes(status));

/** The largest allowed import, streamed so that the test does not hold 50 MB in memory. */
function hugeImport(): ReadableStream<Uint8Array> {
  const piece = new TextEncoder().encode('ada@example.org,Ada Lovelace of London\\n'.repeat(25_000));
  let left = Math.floor((49 * MB) / piece.length);
  return new ReadableStream({
    start: (controller) =>
      controller.enqueue(new TextEncoder().encode('{"mappings":[],"csv_text":"email,name\\n')),
    pull: (controller) => {
      left -= 1;
      if (left >= 0) return controller.enqueue(piece);
      controller.enqueue(new TextEncoder().encode('"}'));
      controller.close();
    },
  });
}

test('[LIM47] 40 imports of 50 MB of CSV text at once: each has its answer, memory stays low', async () => {
  const statuses = await attack(40, () =>
    send('/v1/jobs/subscriber-imports', subscribers, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: hugeImport(),
      // biome-ignore lint/suspicious/noExplicitAny: the types of fetch do not know the member that streams need
      ...({ duplex: 'half' } as any),
    }),
  );
  // Without a mapping, the import is rejected after the whole body has arrived.
  expect(others(statuses, [400, 503])).toEqual([]);
  expect(statuses).toContain(400);
});

/** A workbook of 400 kB that unpacks to 200 MB of cells. */
function bomb(): Uint8Array {
  const files = unzipSync(workbook([['a']]));
  const name = Object.keys(files).find((file) => file.includes('worksheets/')) ?? '';
  const sheet = strFromU8(files[name] ?? new Uint8Array());
  const row = `<row><c t="inlineStr"><is><t>${'x'.repeat(200)}</t></is></c></row>`;
  const rows = row.repeat(Math.floor((200 * MB) / row.length));
  return zipSync(
    { ...files, [name]: Buffer.from(sheet.replace(/<row.*<\/row>/s, () => rows)) },
    { level: 6 },
  );
}

test('[LIM48] 20 workbooks that unpack to 200 MB at once, half of them without a key: memory stays low', async () => {
  const file = bomb();
  expect(file.length).toBeLessThan(5 * MB);
  const links = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const made = await fetch(`${server.url}/v1/jobs/subscriber-import-uploads`, {
        method: 'POST',
        headers: { authorization: `Bearer ${subscribers}`, 'content-type': 'application/json' },
        body: '{}',
      });
      return ((await made.json()) as { data: { upload_url: string } }).data.upload_url;
    }),
  );
  const sealed = await seal(layoutOf([]), letterPdf);
  const statuses = await attack(20, (n) => {
    const link = links[n];
    if (link !== undefined) return send(link, undefined, { method: 'PUT', body: Buffer.from(file) });
    return send('/v1/bulkfill/export-jobs', bulkfill, {
      method: 'POST',
      headers: { 'idempotency-key': randomUUID() },
      body: form({ rows_file: file, pdf: letterPdf, doqlo_file: sealed }),
    });
  });
  expect(others(statuses, [400, 413, 422, 503])).toEqual([]);
});

test('[LIM43] 150 JSON bodies of 1 MB at once: served or 503, memory stays low', async () => {
  const body = JSON.stringify({ name: 'x', more: Array.from({ length: 200_000 }, (_, n) => n % 10_000) });
  const statuses = await attack(150, () =>
    send('/v1/tags', subscribers, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
  );
  expect(others(statuses, [200, 201, 400, 409, 413, 503])).toEqual([]);
});

// The last one, because the memory that earlier floods left behind must not add up.
test('[LIM46][LIM50] 50 row PDFs and previews with a picture of 9 MB at once: memory stays low', async () => {
  const layout = layoutOf([{ ...box, id: 'photo', type: 'image', value: { column: 'column_0' } }]);
  const fields = {
    pdf: letterPdf,
    doqlo_file: await seal(layout, letterPdf),
    rows_json: JSON.stringify([{ column_0: 'noise.png' }]),
    assets_file: zipSync({ 'noise.png': noisePng(2000, 1500) }, { level: 0 }),
  };
  const created = await fetch(`${server.url}/v1/bulkfill/export-jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bulkfill}`, 'idempotency-key': randomUUID(), prefer: 'wait=60' },
    body: form(fields),
  });
  const { job_id: job } = (await created.json()) as { job_id: string };
  expect(created.status).toBe(200);
  const row = (kind: string) => `/v1/bulkfill/export-jobs/${job}/rows/1.${kind}`;
  // A PDF first: in a full process only one request is served, and the reader of a preview may be ended for lack of memory.
  const statuses = await attack(50, (n) => send(row(n % 5 === 4 ? 'png' : 'pdf'), bulkfill, {}));
  expect(others(statuses, [200, 503])).toEqual([]);
  expect(statuses).toContain(200);
});

function form(fields: Readonly<Record<string, string | Uint8Array>>): FormData {
  const data = new FormData();
  data.append('max_failed_row_percent', '100');
  for (const [name, value] of Object.entries(fields))
    data.append(name, typeof value === 'string' ? value : new Blob([value as Uint8Array<ArrayBuffer>]));
  return data;
}
