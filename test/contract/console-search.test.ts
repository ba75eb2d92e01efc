import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Job } from '#console/contract/jobs.ts';
import type { SearchHit } from '#console/contract/search.ts';
import { badRow, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { type ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';

let scene: Scene;
let operator: ConsoleClient;
beforeAll(async () => {
  scene = await openScene();
  operator = await signedIn(scene.server);
  await scene.client.create();
});
afterAll(() => scene.server.stop());

const listed = async (q: string, more = '') =>
  (await operator.get<Listed<Job>>(`/jobs?q=${encodeURIComponent(q)}${more}`)).body.items.map(({ id }) => id);
const found = async (q: string) =>
  (await operator.get<{ hits: SearchHit[] }>(`/search?q=${encodeURIComponent(q)}`)).body.hits
    .filter(({ type }) => type === 'job')
    .map(({ id }) => id);
const shortened = (id: string) => `${id.slice(0, 4)}…${id.slice(-8)}`;

it('[CON64] a shortened job id, its beginning or its end: find the job in the list and in the search', async () => {
  const { body } = await scene.client.create();
  const id = body.job_id;
  const texts = [shortened(id), shortened(id).replace('…', '...'), id.slice(0, 9), id.slice(-12), id];
  for (const text of [...texts, ` ${id.slice(-8).toUpperCase()} `]) {
    expect([text, await listed(text)]).toEqual([text, [id]]);
    expect([text, await found(text)]).toEqual([text, [id]]);
  }
  expect(await listed(id.slice(0, 4))).toContain(id);
  expect(await listed(`${id.slice(0, 4)}…${randomUUID().slice(-8)}`)).toEqual([]);
});

it('[CON64] the shortened id of an Ingest load: finds the load', async () => {
  const sent = await operator.request<{ job_id: string }>('POST', '/acting/ingest/master/uoms?mode=bulk', {
    headers: {
      'content-type': 'application/json',
      'x-correlation-id': randomUUID(),
      'x-rowpress-account': scene.client.account.name,
    },
    body: JSON.stringify({ items: [{ source_id: 'EA', source_version: 1, name: 'Each' }] }),
  });
  const { job_id: id } = sent.body;
  expect(id).toMatch(/^job-/);
  for (const text of [shortened(id), id.slice(0, 12)])
    expect((await operator.get<Listed<Job>>(`/jobs?q=${text}`)).body.items).toMatchObject([
      { public_id: id },
    ]);
});

it('[CON65] the beginning of a request key or request id: finds its jobs, newest first, page by page', async () => {
  const mark = randomUUID();
  const made: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const headers = { 'x-request-id': `trace_${mark}-${n}` };
    const { body } = await scene.client.create({}, { key: `night_${mark}-${n}`, headers });
    made.unshift(body.job_id);
  }
  for (const text of [`night_${mark}`, `trace_${mark}`]) {
    expect(await listed(text)).toEqual(made);
    expect(await found(text)).toEqual(made);
  }
  expect(await listed(`trace_${mark}-1`)).toEqual([made[1]]);
  // Characters that LIKE would read as patterns are plain text.
  expect(await listed(`_ight_${mark}`)).toEqual([]);
  const query = `/jobs?limit=2&q=${encodeURIComponent(`night_${mark}`)}`;
  const { body: first } = await operator.get<Listed<Job>>(query);
  const { body: second } = await operator.get<Listed<Job>>(`${query}&cursor=${first.next_cursor}`);
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
  expect(second.next_cursor).toBeNull();
});

it('[CON65] an error code or a part of an error message: finds failed jobs, with the other filters', async () => {
  const { body } = await scene.client.create({ rows_json: rowsJson([badRow, badRow]) });
  const { code = '', message = '' } = body.error ?? {};
  expect(code).toBe('FAILED_ROW_THRESHOLD_EXCEEDED');
  const part = message.split(' ').slice(1, 4).join(' ').toUpperCase();
  for (const text of [code, 'failed_row', 'THRESHOLD', part]) {
    expect([text, await listed(text)]).toEqual([text, [body.job_id]]);
    expect([text, await found(text)]).toEqual([text, [body.job_id]]);
  }
  expect(await listed(code, '&state=completed')).toEqual([]);
  expect(await listed(code, '&surface=ingest')).toEqual([]);
  expect(await listed('no such error')).toEqual([]);
});
