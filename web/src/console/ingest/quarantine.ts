import type { QuarantineRecord } from '#ingest/contract.ts';

export interface Outcome {
  readonly done: number;
  readonly failures: readonly { readonly record: QuarantineRecord; readonly error: unknown }[];
}

/** One after the other, in order: a release may be what the next one waits for. One refusal does not stop the rest. */
export async function doForEach(
  records: readonly QuarantineRecord[],
  act: (record: QuarantineRecord) => Promise<unknown>,
): Promise<Outcome> {
  let done = 0;
  const failures: { record: QuarantineRecord; error: unknown }[] = [];
  for (const record of records) {
    try {
      await act(record);
      done += 1;
    } catch (error) {
      failures.push({ record, error });
    }
  }
  return { done, failures };
}
