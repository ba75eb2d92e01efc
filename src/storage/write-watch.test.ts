import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import { WriteWatch } from './write-watch.ts';

const never = () => new Promise<never>(() => {});

test.each([
  ['accepts the second connection late', 3_000, async () => ({ rowCount: 0 })],
  ['does not respond on the second connection', 0, never],
])('[STO53] a server that %s: that connection is closed too', async (_, connectMs, respond) => {
  vi.useFakeTimers();
  const open = new Set<unknown>();
  const clientWith = (query: () => Promise<unknown>) => {
    const client = { query, end: async () => void open.delete(client) };
    open.add(client);
    return client as unknown as pg.Client;
  };
  let connections = 0;
  const writes = new WriteWatch({
    connect: async () => {
      connections += 1;
      if (connections === 1) return clientWith(never);
      await new Promise((resolve) => setTimeout(resolve, connectMs));
      return clientWith(respond);
    },
    isStale: () => false,
    onSuspended: () => {},
  });
  const refused = expect(writes.confirm()).rejects.toThrow('does not confirm writes');
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
  expect([connections, open.size, writes.suspended]).toEqual([2, 1, false]);
  vi.useRealTimers();
});
