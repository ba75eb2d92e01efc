import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<true>();

/** Marks work that a client waits for. Its database statements have a time limit; background work may take longer. */
export function inForeground<T>(work: () => T): T {
  return scope.run(true, work);
}

/** Runs work that nobody waits for, even if a request started it. */
export function inBackground<T>(work: () => T): T {
  return scope.exit(work);
}

export function isForeground(): boolean {
  return scope.getStore() === true;
}
