import { totalmem } from 'node:os';
import { expect, test } from 'vitest';
import { memoryLimitBytes, usualWorkers } from './memory-limit.ts';

const MIB = 1024 ** 2;

test('[LIM49] a container with many cores and little memory: fewer workers than cores', () => {
  expect(usualWorkers(64, 512 * MIB)).toBe(2);
  expect(usualWorkers(64, 100 * MIB)).toBe(1);
});

test('[LIM49] a machine with enough memory: a worker for each core', () => {
  expect(usualWorkers(8, 16_384 * MIB)).toBe(8);
});

test('[LIM49] the memory of this process: not more than the machine has', () => {
  expect(memoryLimitBytes()).toBeGreaterThan(64 * MIB);
  expect(memoryLimitBytes()).toBeLessThanOrEqual(totalmem());
});
