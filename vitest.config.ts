import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import ListedOrder from './test/support/listed-order.ts';

/**
 * One project per kind of test, so that a run can name the ones it needs (`vitest run --project=unit`).
 * Projects that start servers get generous limits: the machine may be shared, and no test asserts speed.
 * They run in the order of the list, the longest files first, so that no core waits for the last one.
 */
const project = (name: string, include: string[], testTimeout = 60_000, more: object = {}) => ({
  test: {
    // Node imports the files itself, as in the product, and later workers find the compiled code. Vite would transform them
    // again for each project and send them to each worker (docs/decisions/0216).
    experimental: { viteModuleRunner: false, nodeLoader: false },
    ...more,
    name,
    include,
    testTimeout,
    hookTimeout: 300_000,
    // The default of one second is a limit on speed: a busy machine takes longer to start a process or to draw a page.
    expect: { poll: { timeout: Math.min(60_000, testTimeout / 2) } },
    pool: 'forks' as const,
    // Files of a project follow each other in one process, which loads the product once: with a process for each of the 190 files
    // a third of the unit tests' processor time was loading. So nothing a test changes for its process may outlive it.
    isolate: false,
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    // What bin/rowpress sets for the product: workers, and the servers they start, find compiled code of earlier ones.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/rowpress', import.meta.url)) },
    setupFiles: ['./test/support/steady-seed.ts', './test/support/kept-code.ts'],
  },
});

/**
 * Unit tests that need Vite: one that replaces modules, and those of the web app, which imports TSX and files of another
 * package as `#…`.
 */
const NEED_VITE = ['web/src/**/*.test.ts', 'src/fill/kinds/registry.test.ts'];
const unitWithVite = {
  ...project('unit-vite', NEED_VITE, 60_000, { experimental: { viteModuleRunner: true } }),
  resolve: {
    alias: [{ find: /^#(?=[a-z])/, replacement: fileURLToPath(new URL('src/', import.meta.url)) }],
  },
};

export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    // Two more than the two cores this is run on: tests that kill and wait leave them idle.
    maxWorkers: 4,
    sequence: { sequencer: ListedOrder },
    globalSetup: './test/support/global-setup.ts',
    projects: [
      project('web', ['test/web/**/*.test.ts'], 300_000, { globalSetup: './test/support/build-web.ts' }),
      project('crash', ['test/crash/**/*.test.ts'], 600_000),
      project('contract', ['test/contract/**/*.test.ts'], 300_000),
      project('clients', ['test/clients/**/*.test.ts'], 300_000),
      project('fuzz', ['test/fuzz/**/*.test.ts'], 300_000),
      project('architecture', ['test/architecture/**/*.test.ts'], 300_000),
      project('unit', ['src/**/*.test.ts', 'bench/**/*.test.ts'], 60_000, {
        exclude: [...configDefaults.exclude, ...NEED_VITE],
      }),
      unitWithVite,
      project('attack', ['test/attack/**/*.test.ts'], 300_000),
      project('judge', ['test/judge/**/*.test.ts'], 300_000),
      project('s3', ['test/s3/**/*.test.ts'], 300_000),
      project('package', ['test/package/**/*.test.ts'], 300_000),
      project('generators', ['test/generators/**/*.test.ts'], 300_000),
      project('python', ['test/python/**/*.test.ts'], 300_000),
      project('container', ['test/container/**/*.test.ts'], 300_000),
      project('cluster', ['test/cluster/**/*.test.ts'], 600_000),
      project('corpus', ['test/corpus/**/*.test.ts'], 1_800_000),
    ],
  },
});
