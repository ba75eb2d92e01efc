import { expect, test } from 'vitest';
import { WorkAbandoned } from './fair-turnstile.ts';
import { SharedWork } from './shared-work.ts';

function scene() {
  let finish: (value: string) => void = () => undefined;
  const work = new SharedWork<string>(
    (signal) =>
      new Promise((resolve, reject) => {
        finish = resolve;
        signal.addEventListener('abort', () => reject(new WorkAbandoned()), { once: true });
      }),
  );
  const clients = [new AbortController(), new AbortController()] as const;
  const [first, second] = [work.join(clients[0].signal), work.join(clients[1].signal)];
  return { work, clients, first, second, finish: (value: string) => finish(value) };
}

test('[LIM22] one of two clients with the same files disconnects: the other one gets the result', async () => {
  const { work, clients, first, second, finish } = scene();
  const left = expect(first).rejects.toBeInstanceOf(WorkAbandoned);
  clients[0].abort();
  expect(work.abandoned).toBe(false);
  finish('read');
  expect(await second).toBe('read');
  await left;
});

test('[LIM22] all clients with the same files disconnect: the work is aborted', async () => {
  const { work, clients, first, second } = scene();
  const left = Promise.all(
    [first, second].map((joined) => expect(joined).rejects.toBeInstanceOf(WorkAbandoned)),
  );
  for (const client of clients) client.abort();
  expect(work.abandoned).toBe(true);
  await left;
});
