import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { createLogger } from '#lib/logger.ts';
import { BackgroundErrors } from './background-errors.ts';

test('[CON20] failures are counted by kind, logged once in a while, and forgotten after an hour', () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const errors = new BackgroundErrors(createLogger({ level: 'error', pretty: false, destination }), clock);
  errors.note(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
  clock.advance(1000);
  errors.note(Object.assign(new Error('still away'), { code: 'ECONNREFUSED' }));
  errors.note(new TypeError('odd'));
  expect(lines).toHaveLength(2);
  expect(errors.lastHour()).toEqual([
    { kind: 'ECONNREFUSED', message: 'still away', count: 2, last_at: clock.now() },
    { kind: 'TypeError', message: 'odd', count: 1, last_at: clock.now() },
  ]);
  clock.advance(3_600_001);
  expect(errors.lastHour()).toEqual([]);
});
