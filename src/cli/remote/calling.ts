import { RowpressError } from '#client/rowpress-error.ts';
import { ServerRefused } from './server-refused.ts';

/** Runs calls of the client; its errors become those of the command. */
export async function calling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RowpressError ? new ServerRefused(error) : error;
  }
}
