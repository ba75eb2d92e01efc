import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Retry } from '#lib/errors/catalogue.ts';
import { surfaces } from '#main/surfaces.ts';
import { BulkfillClient, badRow, type Fields, goodRows, rowsJson } from '../support/bulkfill-client.ts';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  seal,
  startBulkfillServer,
} from '../support/bulkfill-server.ts';
import type { Json } from '../support/subscribers-node.ts';
import { EMAIL } from '../support/subscribers-scene.ts';

/** A request under a key. Returns the code of its error, or undefined if it succeeded. */
type Send = (key: string) => Promise<string | undefined>;

interface Case {
  readonly code: string;
  /** Brings about the state in which the request fails. `first` has sent the request under the key and returns its error. */
  readonly first: (key: string) => Promise<{ readonly error: string | undefined; readonly again: Send }>;
  /** What happens before the client repeats the request: time passes, a file arrives, a job ends. */
  readonly meanwhile?: () => unknown;
}

const FULL = { freeBytes: 0, totalBytes: 10 ** 12 };
const EMPTY = { freeBytes: 10 ** 11, totalBytes: 10 ** 12 };

/** A server that does all work, and a node without workers beside one that the test starts. */
let server: BulkfillServer;
let front: BulkfillServer;
let usual: Fields;
let disk = EMPTY;
const stops: (() => Promise<void>)[] = [];

const limits = {
  ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '30',
  ROWPRESS_SUBSCRIBERS_PER_MINUTE: '10',
  ROWPRESS_INGEST_PER_MINUTE: '10',
  ROWPRESS_COOLDOWN_FAILED_JOBS: '5',
  ROWPRESS_COOLDOWN_RATIO_JOBS: '20',
  ROWPRESS_PLANS: '{"small":{"rows_per_month":2}}',
};

beforeAll(async () => {
  server = await startBulkfillServer(limits, { measureDisk: async () => disk });
  front = await startBulkfillServer({
    ROWPRESS_ROLE: 'api',
    ROWPRESS_SYNC_WAIT_MS: '0',
    ROWPRESS_ENCRYPT_BLOBS: 'true',
  });
  stops.push(
    () => front.stop(),
    () => server.stop(),
  );
  usual = {
    pdf: letterPdf,
    doqlo_file: await seal(nameLayout, letterPdf),
    max_failed_row_percent: '0',
    rows_json: rowsJson(goodRows(1)),
  };
  return async () => {
    for (const stop of stops) await stop();
  };
});

const bulkfill = async (at: BulkfillServer, plan = 'unlimited') =>
  new BulkfillClient(at, await at.account({ plan }), usual);
const creates = (client: BulkfillClient, fields: Fields = {}): Send => {
  return async (key) => {
    const { body } = await client.create(fields, { key });
    return body.code ?? body.error?.code;
  };
};
/** A JSON request of another surface; `errorOf` finds the code in the body. */
async function api(surface: 'subscribers' | 'ingest', at: BulkfillServer) {
  const { key: credential } = await at.account({ surface });
  return async (path: string, body: unknown, key: string = randomUUID()) => {
    const response = await fetch(`${at.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${credential}`,
        'content-type': 'application/json',
        [surface === 'ingest' ? 'x-correlation-id' : 'idempotency-key']: key,
      },
    });
    const answer: Json = await response.json();
    const code: string | undefined = answer.error?.code ?? answer.type?.split('#')[1];
    return { code: response.ok ? undefined : code, answer };
  };
}
const sent = async (send: Send, key: string) => ({ error: await send(key), again: send });
/** Repeats a request under new keys until it fails, then under `key`. */
async function untilLimited(send: Send, key: string) {
  for (let n = 0; n < 40 && ((await send(randomUUID())) !== undefined) === false; n += 1);
  return sent(send, key);
}
const aMinute = () => server.clock.advance(61_000);

const bulkfillCases: Case[] = [
  {
    code: 'RATE_LIMITED',
    first: async (key) => untilLimited(creates(await bulkfill(server)), key),
    meanwhile: aMinute,
  },
  {
    code: 'REPEATED_FAILED_JOBS_COOLDOWN',
    first: async (key) => {
      const client = await bulkfill(server);
      for (let n = 0; n < 5; n += 1) await creates(client, { rows_json: rowsJson([badRow]) })(randomUUID());
      return sent(creates(client), key);
    },
    meanwhile: aMinute,
  },
  {
    code: 'HIGH_FAIL_RATIO_COOLDOWN',
    first: async (key) => {
      const client = await bulkfill(server);
      for (let n = 0; n < 20; n += 1)
        await creates(client, { rows_json: rowsJson([n % 2 === 0 ? { column_0: `${n}` } : badRow]) })(
          randomUUID(),
        );
      return sent(creates(client), key);
    },
    // Ten minutes, and an hour until the failed jobs no longer count.
    meanwhile: () => server.clock.advance(3_700_000),
  },
  {
    code: 'STORAGE_FULL',
    first: async (key) => {
      disk = FULL;
      const send = creates(await bulkfill(server));
      await expect.poll(() => send(randomUUID())).toBe('STORAGE_FULL');
      return sent(send, key);
    },
    meanwhile: async () => {
      disk = EMPTY;
      // A measurement is reused for a second.
      const other = creates(await bulkfill(server));
      await expect.poll(() => other(randomUUID())).toBe(undefined);
    },
  },
  {
    code: 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
    first: async (key) => {
      const client = await bulkfill(server);
      await creates(client)(key);
      return sent(creates(client, { rows_json: rowsJson(goodRows(2)) }), key);
    },
  },
  {
    code: 'FAILED_ROW_THRESHOLD_EXCEEDED',
    first: async (key) => sent(creates(await bulkfill(server), { rows_json: rowsJson([badRow]) }), key),
  },
  { code: 'NO_ROWS', first: async (key) => sent(creates(await bulkfill(server), { rows_json: '[]' }), key) },
  {
    code: 'EXPORT_QUOTA_EXCEEDED',
    first: async (key) =>
      sent(creates(await bulkfill(server, 'small'), { rows_json: rowsJson(goodRows(3)) }), key),
  },
  {
    code: 'EXPORT_CANCELLED',
    first: async (key) => {
      const client = await bulkfill(front);
      const { body } = await client.create({}, { key });
      await client.request(`/v1/bulkfill/export-jobs/${body.job_id}`, { method: 'DELETE' });
      return sent(creates(client), key);
    },
  },
  {
    code: 'EXPORT_JOB_OPEN',
    ...(() => {
      let cancel: () => Promise<unknown>;
      const first = async (key: string) => {
        const client = await bulkfill(front);
        const path = `/v1/bulkfill/export-jobs/${(await client.create()).body.job_id}`;
        cancel = () => client.request(path, { method: 'DELETE' });
        const headers = (k: string) => ({ 'idempotency-key': k, 'content-type': 'application/json' });
        return sent(
          async (k) =>
            (await client.request(`${path}/retry`, { method: 'POST', headers: headers(k), body: '{}' })).body
              .code,
          key,
        );
      };
      return { first, meanwhile: () => cancel() };
    })(),
  },
  {
    // The last one on this installation: it starts the workers.
    code: 'EXPORT_FAILED',
    first: async (key) => {
      const client = await bulkfill(front);
      const { body } = await client.create({}, { key });
      damageBlobs(front);
      const worker = await startBulkfillServer({ ...front.env, ROWPRESS_ROLE: 'worker' });
      stops.unshift(() => worker.stop());
      await expect
        .poll(async () => (await client.get(body.job_id)).body.status, { timeout: 60_000 })
        .toBe('failed');
      return sent(creates(client), key);
    },
  },
];

const tag = { name: 'VIP' };
const subscribersCases: Case[] = [
  {
    code: 'rate_limited',
    first: async (key) => {
      const post = await api('subscribers', server);
      return untilLimited(async (k) => (await post('/v1/tags', { name: k }, k)).code, key);
    },
    meanwhile: aMinute,
  },
  {
    code: 'idempotency_key_reused',
    first: async (key) => {
      const post = await api('subscribers', server);
      await post('/v1/tags', { name: 'first' }, key);
      return sent(async (k) => (await post('/v1/tags', tag, k)).code, key);
    },
  },
  {
    code: 'upload_not_ready',
    ...(() => {
      let uploadUrl: string;
      const first = async (key: string) => {
        const post = await api('subscribers', server);
        const { data } = (await post('/v1/jobs/subscriber-import-uploads', {})).answer;
        uploadUrl = data.upload_url;
        const body = { upload_id: data.id, mappings: [EMAIL] };
        return sent(async (k) => (await post('/v1/jobs/subscriber-imports', body, k)).code, key);
      };
      const meanwhile = () =>
        fetch(uploadUrl, {
          method: 'PUT',
          body: 'Email\na@example.com\n',
          headers: { 'content-type': 'text/csv' },
        });
      return { first, meanwhile };
    })(),
  },
  {
    code: 'resource_conflict',
    first: async (key) => {
      const post = await api('subscribers', server);
      await post('/v1/tags', tag);
      return sent(async (k) => (await post('/v1/tags', tag, k)).code, key);
    },
  },
  {
    code: 'invalid_body',
    first: async (key) => {
      const post = await api('subscribers', server);
      return sent(async (k) => (await post('/v1/tags', {}, k)).code, key);
    },
  },
];

const uoms = '/wms-ingest/v1/master/uoms';
const items = [{ source_id: 'EA', name: 'Each' }];
const ingestCases: Case[] = [
  {
    code: 'rate-limited',
    first: async (key) => {
      const post = await api('ingest', server);
      return untilLimited(async (k) => (await post(uoms, { items }, k)).code, key);
    },
    meanwhile: aMinute,
  },
  {
    code: 'state-conflict',
    ...(() => {
      let ended: () => Promise<void>;
      const first = async (key: string) => {
        const node = await startBulkfillServer({ ROWPRESS_ROLE: 'api' });
        const post = await api('ingest', node);
        await post(`${uoms}?mode=bulk`, { items });
        ended = async () => {
          const worker = await startBulkfillServer({ ...node.env, ROWPRESS_ROLE: 'worker' });
          stops.unshift(
            () => worker.stop(),
            () => node.stop(),
          );
          await expect
            .poll(async () => (await post(`${uoms}?mode=full-refresh`, { items })).code, { timeout: 60_000 })
            .toBe(undefined);
        };
        return sent(async (k) => (await post(`${uoms}?mode=full-refresh`, { items }, k)).code, key);
      };
      return { first, meanwhile: () => ended() };
    })(),
  },
  {
    code: 'business-invalid',
    first: async (key) => {
      const post = await api('ingest', server);
      return sent(async (k) => (await post(`${uoms}?mode=full-refresh`, { items: [] }, k)).code, key);
    },
  },
  {
    code: 'malformed-request',
    first: async (key) => {
      const post = await api('ingest', server);
      return sent(async (k) => (await post(uoms, {}, k)).code, key);
    },
  },
];

/** Cuts the last byte off every blob, so that the authentication of the encrypted content fails. */
function damageBlobs({ env }: BulkfillServer): void {
  const root = join(env.ROWPRESS_DATA_DIR ?? '', 'blobs');
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(path, readFileSync(path).subarray(0, -1));
  }
}

/** What a client finds out by repeating the request: first with the same key, then with a new one. */
async function foundBy({ code, meanwhile, first }: Case): Promise<Retry> {
  const key = randomUUID();
  const { error, again } = await first(key);
  expect(error).toBe(code);
  await meanwhile?.();
  const same = await again(key);
  if (same === undefined) return 'same-key';
  expect(same, 'the same key').toBe(code);
  const other = await again(randomUUID());
  if (other === undefined) return 'new-key';
  expect(other, 'a new key').toBe(code);
  return 'no';
}

describe.each([
  ['bulkfill', bulkfillCases],
  ['subscribers', subscribersCases],
  ['ingest', ingestCases],
] as const)('[HTTP80] the retry guidance of %s', (name, cases) => {
  const codes = surfaces.find((surface) => surface.name === name)?.dialect.errors.codes;
  it.each(cases)('$code: is what repeating the request shows', async (found) => {
    expect(codes?.[found.code]?.retry).toBe(await foundBy(found));
  });
});
