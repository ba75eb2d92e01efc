/** How a thread reports a task that it could not do. `code` is the system's, if the system failed (a full disk). */
export interface ThreadFailure {
  readonly kind: 'failed';
  readonly message: string;
  readonly code?: string;
}

/** A task that its thread could not do; the thread itself can go on. */
export class TaskFailed extends Error {}

/** In the thread. */
export function failureOf(error: unknown): ThreadFailure {
  const { message = String(error), code } = error as { message?: string; code?: unknown };
  return { kind: 'failed', message, ...(typeof code === 'string' && { code }) };
}

/** Outside the thread. What the system refused keeps its code, by which a full disk is told from a bug. */
export function taskFailed({ message, code }: ThreadFailure): TaskFailed {
  if (code === undefined) return new TaskFailed(`bug: a thread failed: ${message}`);
  return Object.assign(new TaskFailed(`a thread failed: ${message}`), { code });
}

/**
 * Rows leave nothing behind but their bytes, so a small young generation is enough; with V8's own choice a thread
 * grows by hundreds of megabytes of garbage before it is collected.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };
