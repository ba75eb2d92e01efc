import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AttackServer, SMALL_SERVER_BYTES } from '../support/attack-server.ts';
import { letterPdf, nameLayout, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { undocumented } from '../support/documented.ts';
import { layoutOf } from '../support/fill-cli.ts';
import { type HostileDocument, hostileDocuments } from '../support/hostile-documents.ts';

const JOBS = '/v1/bulkfill/export-jobs';
const pictureLayout = layoutOf([
  { id: 'picture', type: 'image', page: 1, x: 9, y: 9, width: 90, height: 90, value: { column: 'column_0' } },
]);

let server: AttackServer;
let key: string;
let usual: { text: Uint8Array; picture: Uint8Array };
beforeAll(async () => {
  server = await AttackServer.start({
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
    ROWPRESS_COOLDOWN_FAILED_JOBS: '0',
    ROWPRESS_COOLDOWN_RATIO_JOBS: '0',
  });
  key = await server.key('bulkfill', 'attacker');
  usual = { text: await seal(nameLayout, letterPdf), picture: await seal(pictureLayout, letterPdf) };
});
afterAll(() => server?.stop());

const asBlob = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]);

async function create(hostile?: HostileDocument) {
  const picture = hostile?.field === 'assets_file';
  const parts: Record<string, Uint8Array | string> = {
    pdf: letterPdf,
    doqlo_file: picture ? usual.picture : usual.text,
    rows_json: JSON.stringify([{ column_0: picture ? 'a.png' : 'Ada' }]),
    max_failed_row_percent: '100',
  };
  if (hostile?.field === 'rows_file') delete parts.rows_json;
  if (hostile !== undefined) parts[hostile.field] = hostile.build();
  const form = new FormData();
  for (const [name, value] of Object.entries(parts))
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, asBlob(value), `${name}.bin`);
  const response = await fetch(`${server.url}${JOBS}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() },
    body: form,
    signal: AbortSignal.timeout(120_000),
  });
  const body = (await response.json()) as { code?: string; status?: string };
  return { status: response.status, code: body.code, state: body.status };
}

test.each(hostileDocuments)('[FILL45] $field: $name: a documented answer', async (hostile) => {
  const outcome = await create(hostile).then(
    ({ status, code, state }) => ({ status, code, state, fault: undocumented('POST', JOBS, status, code) }),
    // The server may close the connection before the whole body is sent when it rejects a request.
    () => ({ status: 400, code: 'closed', state: undefined, fault: null }),
  );
  console.info(`${hostile.field}: ${hostile.name}: ${outcome.status} ${outcome.code ?? outcome.state}`);
  expect(outcome).toMatchObject({ fault: null });
  expect(outcome.code).not.toBe('UNKNOWN_FIELD');
  expect(outcome.status).toBeLessThan(500);
  expect([(await fetch(`${server.url}/healthz`)).status, server.running]).toEqual([200, true]);
});

test('[FILL45] after all of them: memory stayed low and a plain create works', async () => {
  expect(server.peakResidentBytes()).toBeLessThan(SMALL_SERVER_BYTES);
  expect(await create()).toMatchObject({ status: 200, state: 'completed' });
});
