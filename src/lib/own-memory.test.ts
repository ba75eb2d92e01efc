import { expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.ts';
import { collectGarbage } from './collect-garbage.ts';
import { faultOf } from './errors/fault-of.ts';
import { memoryLimitBytes } from './memory-limit.ts';
import { OwnMemory } from './own-memory.ts';

/** A process with 100 bytes. Its collections take 10 ms and free `garbage`. */
function scene(garbage: number) {
  const process = { bytes: 90, garbage, time: 0, collections: 0 };
  const memory = new OwnMemory({
    limitBytes: 100,
    resident: () => process.bytes,
    collect: () => {
      process.collections += 1;
      process.time += 10;
      process.bytes -= process.garbage;
      process.garbage = 0;
    },
    now: () => process.time,
  });
  return { process, memory };
}

test('[LIM50] a process near its limit: collects garbage before it says that it is full', () => {
  const { process, memory } = scene(40);
  expect(memory.hasRoom(10)).toBe(true);
  expect(process.collections).toBe(0);
  expect(memory.hasRoom(11)).toBe(true);
  expect(process).toMatchObject({ collections: 1, bytes: 50 });
});

test('[LIM50] memory that no collection frees: collections stay rare', () => {
  const { process, memory } = scene(0);
  for (; process.time < 60_000; process.time += 1) expect(memory.hasRoom(11)).toBe(false);
  expect(process.collections).toBeGreaterThan(50);
  expect(process.collections).toBeLessThan(121);
});

test('[LIM50] a full process: a request waits for its turn, and the only one is served', () => {
  const full = { hasRoom: () => false };
  const budget = new ByteBudget(1000, 1000, full);
  const first = budget.reserve('a', 10);
  // It is the only one, so it may grow.
  first.grow(90);
  let failure: unknown;
  try {
    budget.reserve('b', 1);
  } catch (error) {
    failure = error;
  }
  expect(faultOf(failure)).toBe('unavailable');
  expect(budget.refusals).toBe(1);
  first.release();
  expect(budget.reserve('b', 1).bytes).toBe(1);
});

test('[LIM50] a process that becomes full while requests hold bytes: the oldest one may grow, the others may not', () => {
  let isFull = false;
  const budget = new ByteBudget(1000, 1000, { hasRoom: () => !isFull });
  const held = ['a', 'a', 'b'].map((account) => budget.reserve(account, 1));
  isFull = true;
  const growing = held.map((reservation) => {
    try {
      reservation.grow(90);
      return 'grown';
    } catch (error) {
      return faultOf(error);
    }
  });
  expect(growing).toEqual(['grown', 'unavailable', 'unavailable']);
  held[0]?.release();
  held[1]?.grow(90);
  expect(budget.usedBytes).toBe(92);
});

test('[LIM50] buffers that nothing refers to: returned by a collection', () => {
  const before = process.memoryUsage().arrayBuffers;
  let kept: Buffer | undefined = Buffer.alloc(64_000_000, 1);
  expect(process.memoryUsage().arrayBuffers).toBeGreaterThan(before + kept.length / 2);
  kept = undefined;
  collectGarbage({ thorough: true });
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(before + 32_000_000);
  expect((globalThis as { gc?: unknown }).gc).toBeUndefined();
});

test('[LIM50] the limit of this process: half of its memory', () => {
  expect(new OwnMemory().limitBytes).toBe(Math.floor(memoryLimitBytes() / 2));
});
