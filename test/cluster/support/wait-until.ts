/** A program has ended, so that waiting for it is pointless. */
export class ProgramEnded extends Error {
  override readonly name = 'ProgramEnded';
}

/** Evaluates a condition four times a second until it returns a value. Errors count as "not yet", except ProgramEnded. */
export async function waitUntil<T>(
  what: string,
  seconds: number,
  condition: () => Promise<T | undefined | false>,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  let last: unknown;
  while (Date.now() < end) {
    try {
      const value = await condition();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      if (error instanceof ProgramEnded) throw error;
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`not within ${seconds} s: ${what}`, { cause: last });
}

export const answers200 = async (url: string): Promise<boolean> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.arrayBuffer();
  return response.status === 200;
};
