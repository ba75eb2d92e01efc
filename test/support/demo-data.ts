import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConsoleClient } from './console-client.ts';
import { box, layoutOf } from './fill-cli.ts';
import { sourcePdf } from './source-pdf.ts';

/** The data of an installation in regular use, created only through the server's own interfaces. */
export interface DemoData {
  readonly accounts: readonly [string, string, string];
  readonly keys: Readonly<Record<'bulkfill' | 'subscribers' | 'ingest', string>>;
  /** A request key that was rejected with a different body. */
  readonly conflictKey: string;
  /** A job with failed rows and rows with warnings. */
  readonly troubledJob: string;
}

const ACCOUNTS = ['Northwind Books', 'Harbour Clinic', 'Lumen Events'] as const;
const pdf = sourcePdf({ pages: [{ text: 'Certificate' }] });
const layout = layoutOf([
  { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
  { id: 'code', type: 'qr', ...box, x: 400, width: 90, height: 90, value: { column: 'column_1' } },
]);

export const guests = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    column_0: `Guest ${index + 1}`,
    column_1: `T-${1000 + index}`,
  }));

/** Seals the demo layout with the installation's own key. */
export async function sealDemoPackage(operator: ConsoleClient): Promise<Uint8Array> {
  const form = new FormData();
  form.set('layout', JSON.stringify(layout));
  form.set('pdf', new Blob([Buffer.from(pdf)]), 'source.pdf');
  const answer = await operator.fetch('/packages', { method: 'POST', body: form });
  if (!answer.ok) throw new Error(`sealing: ${answer.status} ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}

export interface DemoJob {
  readonly key?: string;
  readonly percent?: number;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Sends one job with a Bulk Fill key, as an API client does. */
export async function sendJob(
  url: string,
  apiKey: string,
  doqlo: Uint8Array,
  rows: readonly object[],
  { key = randomUUID(), percent = 100, fields = {} }: DemoJob = {},
): Promise<{ status: number; body: { job_id: string; differs_in?: string[] } }> {
  const form = new FormData();
  form.set('pdf', new Blob([Buffer.from(pdf)]), 'source.pdf');
  form.set('doqlo_file', new Blob([Buffer.from(doqlo)]), 'layout.doqlo');
  form.set('rows_json', JSON.stringify(rows));
  form.set('max_failed_row_percent', String(percent));
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const answer = await fetch(`${url}/v1/bulkfill/export-jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': key },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as { job_id: string } };
}

async function makeKey(operator: ConsoleClient, order: object): Promise<string> {
  const { status, body } = await operator.post<{ key: string }>('/keys', order);
  if (status !== 201) throw new Error(`key: ${status} ${JSON.stringify(body)}`);
  return body.key;
}

/** Creates accounts with a key for each surface. */
export async function makeAccounts(operator: ConsoleClient): Promise<DemoData['keys']> {
  const [books, clinic, events] = ACCOUNTS;
  for (const [name, plan] of [
    [books, 'unlimited'],
    [clinic, 'free'],
    [events, 'unlimited'],
  ] as const)
    await operator.post('/accounts', { name, plan });
  return {
    bulkfill: await makeKey(operator, {
      surface: 'bulkfill',
      account: events,
      name: 'Ticket printer',
      days: 90,
    }),
    subscribers: await makeKey(operator, { surface: 'subscribers', account: books, name: 'Newsletter sync' }),
    ingest: await makeKey(operator, { surface: 'ingest', account: books, name: 'Warehouse bridge' }),
  };
}

export async function makeDemoData(operator: ConsoleClient, keys: DemoData['keys']): Promise<DemoData> {
  const { url } = operator;
  const doqlo = await sealDemoPackage(operator);
  const send = (rows: readonly object[], order: DemoJob = {}) =>
    sendJob(url, keys.bulkfill, doqlo, rows, order);
  await send(guests(250));
  const troubled = await send(
    guests(40).map((row, index) => {
      if (index % 9 === 4) return { ...row, column_0: {} };
      return index % 11 === 6 ? { ...row, column_1: '' } : row;
    }),
  );
  await send([...guests(8), { column_0: {} }, { column_0: {} }], { percent: 10 });
  const conflictKey = 'tickets-2026-spring';
  await send(guests(12), { key: conflictKey });
  await send(guests(13), { key: conflictKey });
  await send(guests(12), { key: conflictKey, percent: 5 });
  await importSubscribers(url, keys.subscribers);
  await sendItems(url, keys.ingest);
  return { accounts: [...ACCOUNTS], keys, conflictKey, troubledJob: troubled.body.job_id };
}

/** Imports subscribers, then exports them. An export started earlier would include only the people imported so far. */
async function importSubscribers(url: string, key: string): Promise<void> {
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    });
  const lines = Array.from({ length: 400 }, (_, index) =>
    index % 57 === 3
      ? `not-an-address-${index},Reader ${index}`
      : `reader${index}@example.com,Reader ${index}`,
  );
  const mappings = [
    { csv_column: 'Email', field: { type: 'email' } },
    { csv_column: 'Name', field: { type: 'name' } },
  ];
  await post('/v1/jobs/subscriber-imports', { csv_text: `Email,Name\n${lines.join('\n')}\n`, mappings });
  for (let tries = 0; !(await hasPeople(url, key)); tries += 1) {
    if (tries === 600) throw new Error('the imported subscribers did not appear');
    await pause(100);
  }
  await post('/v1/jobs/subscriber-exports', {});
}

async function hasPeople(url: string, key: string): Promise<boolean> {
  const answer = await fetch(`${url}/v1/subscribers?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as { data: readonly unknown[] };
  return data.length > 0;
}

async function sendItems(url: string, key: string): Promise<void> {
  const send = (collection: string, items: readonly object[]) =>
    fetch(`${url}/wms-ingest/v1/${collection}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-correlation-id': randomUUID(),
      },
      body: JSON.stringify({ items }),
    });
  await send('master/uoms', [
    { source_id: 'EA', source_version: 1, name: 'Each' },
    { source_id: 'BOX', source_version: 1, name: 'Box of twelve' },
  ]);
  const sku = (n: number, base_uom: string, version = 1) => ({
    source_id: `BK-${100 + n}`,
    source_version: version,
    name: `Paperback ${n}${version > 1 ? ', second edition' : ''}`,
    base_uom,
  });
  await send(
    'master/skus',
    Array.from({ length: 18 }, (_, n) => sku(n, n % 5 === 4 ? 'PALLET' : 'EA')),
  );
  await send('master/skus', [sku(2, 'EA', 2), sku(3, 'BOX', 2)]);
  await send('master/skus', [sku(2, 'BOX', 3)]);
}
