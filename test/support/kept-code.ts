import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';

/**
 * Writes the compiled code of this worker to the cache (`NODE_COMPILE_CACHE`), so that later workers and the servers they
 * start find it. Node does so when a process exits, but vitest ends its workers with a signal.
 */
afterAll(() => flushCompileCache());
