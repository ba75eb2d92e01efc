import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';

/**
 * Writes the compiled code of this worker to the cache (`NODE_COMPILE_CACHE`) after its first file, so that later workers and
 * the servers they start find it. Node does so when a process exits, but vitest ends its workers with a signal.
 *
 * Not after each file: vitest imports test files under a new name each time, and the cache would grow by all of them.
 */
const IS_KEPT = Symbol.for('rowpress.kept-code');
const worker = globalThis as { [IS_KEPT]?: boolean };
if (worker[IS_KEPT] !== true) {
  worker[IS_KEPT] = true;
  afterAll(() => flushCompileCache());
}
