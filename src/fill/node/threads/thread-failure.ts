/** A thread's report about a task that failed. `code` is the system's error code, if the system failed (a full disk). */
export interface ThreadFailure {
  readonly kind: 'failed';
  readonly message: string;
  readonly code?: string;
}

/** A task failed. Its thread remains usable. */
export class TaskFailed extends Error {}

/** Called in the thread. */
export function failureOf(error: unknown): ThreadFailure {
  const { message = String(error), code } = error as { message?: string; code?: unknown };
  return { kind: 'failed', message, ...(typeof code === 'string' && { code }) };
}

/** Called outside the thread. A system error keeps its code, which distinguishes a full disk from a bug. */
export function taskFailed({ message, code }: ThreadFailure): TaskFailed {
  if (code === undefined) return new TaskFailed(`bug: a thread failed: ${message}`);
  return Object.assign(new TaskFailed(`a thread failed: ${message}`), { code });
}

/**
 * Heap limits of a server's threads. A row leaves only its bytes behind, so a small young generation is enough; with V8's
 * default, a thread accumulates hundreds of megabytes of garbage before it is collected.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };
