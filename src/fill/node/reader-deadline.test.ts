import { expect, test } from 'vitest';
import { isLate, waitedMs } from './reader-deadline.ts';

test('[LIM52] a reader that waits for a core: its deadline is extended by that time, to six times its length at most', () => {
  expect(isLate(500, 500, () => 0)).toBe(false);
  expect(isLate(501, 500, () => 0)).toBe(true);
  expect(isLate(700, 500, () => 200)).toBe(false);
  expect(isLate(701, 500, () => 200)).toBe(true);
  expect(isLate(3000, 500, () => 2990)).toBe(false);
  expect(isLate(3001, 500, () => 2990)).toBe(true);
});

test.runIf(process.platform === 'linux')(
  '[LIM52] the time that a process has waited for a core: known to its parent',
  () => {
    const waited = waitedMs(process.pid);
    expect(waited).toBeGreaterThan(0);
    expect(waited).toBeLessThan(process.uptime() * 1000);
    // It has ended, or never was.
    expect(waitedMs(2 ** 22 + 1)).toBe(0);
  },
);
