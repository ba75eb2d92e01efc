import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { commentFrame, eventFrame, sendEvents } from './event-stream.ts';

test('a frame: id, event and data on one line each, an empty line at the end', () => {
  expect(eventFrame({ id: '3', event: 'progress', data: { text: 'a\nb' } })).toBe(
    'id: 3\nevent: progress\ndata: {"text":"a\\nb"}\n\n',
  );
  expect(eventFrame({ event: 'job', data: 1 })).toBe('event: job\ndata: 1\n\n');
  expect(commentFrame('still there')).toBe(': still there\n\n');
});

test('a stream: has the headers of server-sent events and ends with its generator', async () => {
  const app = Fastify();
  const shutdown = new AbortController().signal;
  app.get('/', (_request, reply) =>
    sendEvents(reply, { shutdown }, async function* () {
      yield commentFrame('open');
      yield eventFrame({ event: 'job', data: 1 });
    }),
  );
  const { headers, body } = await app.inject('/');
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(body).toBe(': open\n\nevent: job\ndata: 1\n\n');
  await app.close();
});

test('a shutdown, the maximum duration, or a client that disconnects: aborts the generator', async () => {
  const app = Fastify({ forceCloseConnections: true });
  const shutdown = new AbortController();
  const ended: string[] = [];
  const route = (path: string, maxMs?: number) =>
    app.get(path, (_request, reply) =>
      sendEvents(
        reply,
        { shutdown: shutdown.signal, ...(maxMs !== undefined && { maxMs }) },
        async function* (leave) {
          try {
            yield commentFrame('open');
            if (!leave.aborted) await new Promise((resolve) => leave.addEventListener('abort', resolve));
          } finally {
            ended.push(path);
          }
        },
      ),
    );
  route('/short', 20);
  route('/left');
  route('/open');
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(await (await fetch(`${url}/short`)).text()).toBe(': open\n\n');
  const leave = new AbortController();
  await fetch(`${url}/left`, { signal: leave.signal });
  leave.abort();
  await expect.poll(() => ended).toEqual(['/short', '/left']);
  const open = await fetch(`${url}/open`);
  shutdown.abort();
  expect(await open.text()).toBe(': open\n\n');
  expect(ended).toEqual(['/short', '/left', '/open']);
  await app.close();
});
