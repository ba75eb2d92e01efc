import { OperatorError } from '#lib/errors/operator-error.ts';

/** `warning`: it works, but not permanently or not well. */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  readonly advice?: string;
}

/**
 * Runs a check. An exception means that it failed. Only an OperatorError says what to do; others get general advice.
 */
export async function attempt(name: string, check: () => Promise<Omit<Finding, 'name'>>): Promise<Finding> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    const detail = (error as Error).message;
    return error instanceof OperatorError
      ? { name, state: 'failed', detail }
      : { name, state: 'failed', detail, advice: 'see docs/guides/run-in-production.md' };
  }
}
