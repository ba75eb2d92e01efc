import type { QuarantineRecord } from '#ingest/quarantine/contract.ts';

export interface Outcome {
  readonly done: number;
  readonly failures: readonly { readonly record: QuarantineRecord; readonly error: unknown }[];
}

/** Acts on the records one by one, in order, because a release may complete the next record. An error does not stop the rest. */
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
