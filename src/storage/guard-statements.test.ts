import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type pg from 'pg';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { inForeground } from '#lib/foreground.ts';
import { guardStatements } from './guard-statements.ts';

/** A connection whose server does not respond. */
function silentConnection() {
  const destroy = vi.fn();
  const client = Object.assign(new EventEmitter(), {
    query: (statement: unknown) => statement,
    getTransactionStatus: () => 'T',
    connection: { stream: { destroy } },
  });
  const onSpent = vi.fn();
  guardStatements(client as unknown as pg.ClientBase, {
    suspended: () => false,
    onSlowWrite: () => {},
    onSpent,
  });
  return { client, destroy, onSpent };
}

const copyStream = () => Object.assign(new PassThrough(), { submit: () => {} });

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

test('[STO58] a COPY that a request waits for and that does not end: loses its connection after 9 seconds', async () => {
  const { client, destroy, onSpent } = silentConnection();
  inForeground(() => client.query(copyStream()));
  await vi.advanceTimersByTimeAsync(8_900);
  expect(destroy).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(destroy).toHaveBeenCalledOnce();
  expect(onSpent).toHaveBeenCalledOnce();
});

test('[STO58] a COPY that ended, or one of background work: keeps its connection', async () => {
  const { client, destroy } = silentConnection();
  const ended = copyStream();
  inForeground(() => client.query(ended));
  ended.resume().end();
  client.query(copyStream());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(destroy).not.toHaveBeenCalled();
});
