import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { sendRaw, startServer } from '../../test/support/http.ts';
import { exampleSurface } from '../../test/support/surfaces.ts';

test('[HTTP19] a draining server: ends waiting requests at once and accepts no new connection', async () => {
  const waiting = Promise.withResolvers<void>();
  const waits = async ({ shutdown }: { shutdown: AbortSignal }) => {
    const stopped = once(shutdown, 'abort');
    waiting.resolve();
    await stopped;
    return { state: 'queued' };
  };
  const { url, port, drain } = await startServer({ surfaces: [exampleSurface('bulkfill', { waits })] });
  const answer = fetch(`${url}/v1/bulkfill/waits`);
  await waiting.promise;
  await drain(30_000);
  expect(await (await answer).json()).toEqual({ state: 'queued' });
  const late = connect(port, '127.0.0.1');
  const [error] = await once(late, 'error');
  expect(error.code).toBe('ECONNREFUSED');
});

test('[HTTP19] a request still running at the deadline: its connection is closed', async () => {
  const waiting = Promise.withResolvers<void>();
  const waits = () => {
    waiting.resolve();
    return new Promise(() => {});
  };
  const { url, drain } = await startServer({ surfaces: [exampleSurface('bulkfill', { waits })] });
  const answer = fetch(`${url}/v1/bulkfill/waits`).catch((error: Error) => error);
  await waiting.promise;
  await drain(10);
  expect(await answer).toBeInstanceOf(Error);
});

test('[HTTP19] responses of a draining server: close their connection', async () => {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const waits = async () => {
    entered.resolve();
    await release.promise;
    return {};
  };
  const { port, drain } = await startServer({ surfaces: [exampleSurface('bulkfill', { waits })] });
  const answer = sendRaw(port, 'GET /v1/bulkfill/waits HTTP/1.1\r\nHost: x\r\n\r\n', false);
  await entered.promise;
  const drained = drain(30_000);
  release.resolve();
  await drained;
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/);
});
