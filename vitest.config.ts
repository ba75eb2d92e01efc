import { defineConfig } from 'vitest/config';

/**
 * One project per kind of test, so that `npm run test:unit` and CI can name what they run.
 * Projects that start servers get generous limits: the machine may be shared, and no test asserts speed.
 */
const project = (name: string, include: string[], testTimeout = 30_000, more: object = {}) => ({
  test: {
    ...more,
    name,
    include,
    testTimeout,
    hookTimeout: 120_000,
    pool: 'forks' as const,
    setupFiles: ['./test/support/steady-seed.ts'],
  },
});

export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    // One more than the two cores this is run on: tests that kill and wait leave them idle.
    maxWorkers: 3,
    globalSetup: './test/support/global-setup.ts',
    projects: [
      project('unit', ['src/**/*.test.ts', 'web/src/**/*.test.ts']),
      project('architecture', ['test/architecture/**/*.test.ts'], 120_000),
      project('contract', ['test/contract/**/*.test.ts'], 120_000),
      project('crash', ['test/crash/**/*.test.ts'], 300_000),
      project('fuzz', ['test/fuzz/**/*.test.ts'], 300_000),
      project('web', ['test/web/**/*.test.ts'], 180_000, { globalSetup: './test/support/build-web.ts' }),
      project('judge', ['test/judge/**/*.test.ts'], 300_000),
      project('s3', ['test/s3/**/*.test.ts'], 300_000),
      project('corpus', ['test/corpus/**/*.test.ts'], 1_800_000),
    ],
  },
});
