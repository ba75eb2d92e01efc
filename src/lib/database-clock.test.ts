import { expect, test } from 'vitest';
import { DatabaseClock } from './database-clock.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-01-01T12:00:00Z');

function scene() {
  const machine = { wallMs: NOON, monotonicMs: 1_000 };
  const clock = new DatabaseClock({ wall: () => machine.wallMs, monotonic: () => machine.monotonicMs });
  const pass = (ms: number) => {
    machine.wallMs += ms;
    machine.monotonicMs += ms;
  };
  return { machine, clock, pass };
}

test('[OPS91] before the first reading: the time of the machine', () => {
  const { clock, pass } = scene();
  pass(5);
  expect([clock.now().getTime(), clock.skewMs]).toEqual([NOON + 5, 0]);
});

test('[OPS91] a machine that is an hour ahead: shows the time of the database, and its skew', () => {
  const { machine, clock, pass } = scene();
  const sentAt = machine.monotonicMs;
  pass(10);
  clock.set({ databaseMs: NOON - HOUR_MS, sentAt, receivedAt: machine.monotonicMs });
  expect([clock.now().getTime(), clock.skewMs]).toEqual([NOON - HOUR_MS + 5, HOUR_MS + 5]);
  pass(1_000);
  expect(clock.now().getTime()).toBe(NOON - HOUR_MS + 1_005);
});

test('[OPS91] a slow reading that agrees with the time: does not move it', () => {
  const { machine, clock, pass } = scene();
  const sentAt = machine.monotonicMs;
  pass(1_500);
  // The database read its clock at once, and the process was busy when the response arrived.
  clock.set({ databaseMs: NOON, sentAt, receivedAt: machine.monotonicMs });
  expect([clock.now().getTime(), clock.skewMs]).toEqual([NOON + 1_500, 0]);
});

test.each([25 * HOUR_MS, -25 * HOUR_MS])(
  '[OPS91] a machine whose clock jumps by %i ms: keeps the time',
  (jump) => {
    const { machine, clock, pass } = scene();
    clock.set({ databaseMs: NOON, sentAt: 1_000, receivedAt: 1_000 });
    machine.wallMs += jump;
    pass(1);
    expect([clock.now().getTime(), clock.skewMs]).toEqual([NOON + 1, jump]);
  },
);
