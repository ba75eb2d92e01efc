import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { createLogger } from '#lib/logger.ts';
import { BlobStoreError } from '#storage/blobs/blob-store-error.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { BackgroundErrors } from './background-errors.ts';
import type { OpenStorage } from './open-storage.ts';
import { watchServices } from './watch-services.ts';

test('[JOB21] an outage of the store: one log line at its begin and one at its end', async () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push((JSON.parse(String(chunk)) as { msg: string }).msg);
      done();
    },
  });
  const log = createLogger({ level: 'info', pretty: false, destination });
  const background = new BackgroundErrors(log, systemClock);
  const down = new BlobStoreError('unavailable', 'the store is down');
  const content = new Map<string, Uint8Array>();
  let isDown = true;
  const store = {
    receive: async (bytes: AsyncIterable<Uint8Array>) => {
      if (isDown) throw down;
      for await (const part of bytes) content.set('probe', part);
      return { name: 'probe', keep: async () => {} };
    },
    read: async function* (name: string) {
      yield content.get(name);
    },
    delete: async (name: string) => void content.delete(name),
  };
  const database = await openTestDatabase();
  const services = watchServices({ log, clock: systemClock, background }, {
    database,
    store,
  } as unknown as OpenStorage);
  onTestFinished(() => services.close());
  await services.check();
  background.note(down);
  background.note(new TypeError('a bug'));
  expect(lines).toEqual([
    'the blob store is unavailable; workers wait until it responds',
    'background work failed',
  ]);
  expect(background.lastHour()).toHaveLength(2);
  isDown = false;
  await services.available(['blobs']);
  expect(lines.slice(2)).toEqual(['the blob store responds again']);
  expect(content.size).toBe(0);
});
