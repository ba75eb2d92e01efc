export interface CollectionCount {
  readonly name: string;
  readonly items: number;
  readonly active: number;
  readonly quarantined: number;
}

export interface PartnerOverview {
  readonly account: string;
  readonly partner: string;
  readonly created_at: string;
  readonly collections: readonly CollectionCount[];
}

export interface Overview {
  /** Every collection there is, also empty ones. */
  readonly collections: readonly string[];
  readonly items: readonly PartnerOverview[];
}

/** An item that waits because something it refers to is not there. */
export interface QuarantineRecord {
  readonly quarantine_id: string;
  readonly collection: string;
  readonly source_id: string;
  readonly source_version: number | null;
  readonly reason: string;
  readonly status: 'OPEN' | 'RELEASED' | 'DISCARDED' | 'ACCEPTED' | 'SUPERSEDED';
  readonly item: unknown;
  readonly internal_id: string | null;
  readonly correlation_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Redriven {
  readonly evaluated: number;
  readonly accepted: number;
  readonly superseded: number;
  readonly quarantined: number;
}

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
