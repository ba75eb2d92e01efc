import type { Tx } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';

/**
 * What a surface hands the engine: the only way control comes back up. A kind is a description without state
 * of its own; the engine may call it in any process, more than once, and keeps only the first result that
 * commits.
 */
export interface JobKind<Input = unknown, SliceInput = unknown, SliceResult = unknown> {
  /** Kept in every job record, e.g. `bulkfill.export`; never renamed. */
  readonly name: string;

  /** Cuts the work. Called once, when the job is accepted. */
  plan(input: Input): JobPlan<SliceInput>;

  /** Does one slice. Must give the same result when run again; effects go through `write`. */
  runSlice(run: SliceRun<Input, SliceInput>): Promise<SliceDone<SliceResult>>;

  /** Composes the outcome from all slices, outside any transaction; may run again after a crash. */
  finish(work: FinishedWork<Input, SliceResult>): Promise<JobOutcome>;

  /** The error of a job that the engine ends: cancelled, or given up after too many attempts. */
  failure(reason: 'cancelled' | 'exhausted'): JobError;

  /** What the world is told, inside the transaction that settles. */
  announce?(settled: SettledJob<Input>, tx: Tx): Promise<Announcement | undefined>;
}

export interface JobPlan<SliceInput> {
  readonly slices: readonly { readonly input: SliceInput; readonly rows: number }[];
  /** One slice at a time, in order (a later one may refer to what an earlier one stored). */
  readonly ordered?: boolean;
  /** The k-th failed row, in row order, decides the job: slices wholly after it are dropped. */
  readonly failLimit?: number;
}

export interface SliceRun<Input, SliceInput> {
  readonly jobId: string;
  readonly accountId: string;
  readonly input: Input;
  readonly slice: SliceInput;
  readonly n: number;
  readonly attempt: number;
  /** Aborted when the result can no longer count: time is up, the slice was dropped, the process stops. */
  readonly signal: AbortSignal;
}

export interface SliceDone<SliceResult> {
  /** Small: digests, offsets and counts. Bulk goes to the blob store, named in `blobs`. */
  readonly result: SliceResult;
  readonly rowsFailed: number;
  readonly blobs?: readonly string[];
  /** Database effects that must happen exactly once: runs in the transaction that finishes the slice. */
  readonly write?: (tx: Tx) => Promise<void>;
}

export interface FinishedWork<Input, SliceResult> {
  readonly job: JobRecord;
  readonly input: Input;
  /** In slice order; dropped slices have no result. */
  readonly slices: readonly {
    readonly n: number;
    readonly rows: number;
    readonly rowsFailed: number;
    readonly result: SliceResult | undefined;
  }[];
  readonly attempt: number;
}

export interface JobError {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type JobOutcome =
  | {
      readonly state: 'completed';
      readonly outcome?: unknown;
      readonly artifact?: NewArtifact;
      readonly write?: (tx: Tx) => Promise<void>;
    }
  | { readonly state: 'failed'; readonly error: JobError; readonly outcome?: unknown };

export interface NewArtifact {
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly etag: string;
  /** Names the blobs and numbers the artifact is assembled from, for the surface to read back. */
  readonly parts: unknown;
  readonly blobs: readonly string[];
  /** How long it can be downloaded, where that is not the installation's setting. */
  readonly deliverySeconds?: number;
}

export interface SettledJob<Input> {
  readonly job: JobRecord;
  readonly input: Input;
  readonly eventId: string;
  readonly delivery: { readonly id: string; readonly expiresAt: Date } | undefined;
}

export interface Announcement {
  readonly surface: 'bulkfill' | 'subscribers' | 'ingest';
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly targets: readonly WebhookTarget[];
}

export interface WebhookTarget {
  readonly url: string;
  readonly scheme: 'bulkfill' | 'standard' | 'ingest';
  /** Sealed by the engine's secret box; never in the clear at rest. */
  readonly secrets: Buffer;
}

/** Kinds differ in their types, which the engine only carries; `input` goes in and comes out as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a registry of kinds with different type arguments has no common type
export type AnyJobKind = JobKind<any, any, any>;

export class JobKinds {
  readonly #kinds = new Map<string, AnyJobKind>();

  constructor(kinds: readonly AnyJobKind[]) {
    for (const kind of kinds) this.#kinds.set(kind.name, kind);
  }

  get(name: string): AnyJobKind {
    const kind = this.#kinds.get(name);
    if (kind === undefined) throw new Error(`bug: no job kind ${name} is registered in this process`);
    return kind;
  }
}
