import type { Tx } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';

/**
 * Defines what a kind of job does; surfaces implement it. It is the only way in which the engine calls back into a
 * surface. A kind has no state: the engine may call it in any process, more than once, and keeps only the first result
 * that commits.
 */
export interface JobKind<Input = unknown, SliceInput = unknown, SliceResult = unknown> {
  /** Stored in every job record, e.g. `example.sum`. Must never change. Its first part names the surface. */
  readonly name: string;

  /** Splits the work into slices. Called once, when the job is accepted. */
  plan(input: Input): JobPlan<SliceInput>;

  /** Runs one slice. Must return the same result when it runs again. Database effects belong in `write`. */
  runSlice(run: SliceRun<Input, SliceInput>): Promise<SliceDone<SliceResult>>;

  /** Builds the outcome from all slices, outside any transaction. May run again after a crash. */
  finish(work: FinishedWork<Input, SliceResult>): Promise<JobOutcome>;

  /** Returns the outcome of a job that the engine ends: cancelled, or out of attempts. */
  failure(reason: 'cancelled' | 'exhausted', ended: EndedJob<Input>): FailedOutcome;

  /** Returns the webhook event of a settled job. Runs in the transaction that settles, and only reads. */
  announce?(settled: SettledJob<Input>, tx: Tx): Promise<Announcement | undefined>;
}

export interface JobPlan<SliceInput> {
  readonly slices: readonly { readonly input: SliceInput; readonly rows: number }[];
  /** Run one slice at a time, in order (a later slice may reference rows that an earlier one stored). */
  readonly ordered?: boolean;
  /** The k-th failed row, in row order, ends the job: slices entirely after it are dropped. */
  readonly failLimit?: number;
}

export interface SliceRun<Input, SliceInput> {
  readonly jobId: string;
  readonly accountId: string;
  readonly input: Input;
  readonly slice: SliceInput;
  readonly n: number;
  readonly attempt: number;
  /** Aborted when the result can no longer be accepted: the slice timed out or was dropped, or the process stops. */
  readonly signal: AbortSignal;
}

export interface SliceDone<SliceResult> {
  /** Small: digests, offsets and counts. Bulk data belongs in the blob store, listed in `blobs`. */
  readonly result: SliceResult;
  readonly rowsFailed: number;
  readonly blobs?: readonly string[];
  /** Database effects that must happen exactly once. Runs in the transaction that finishes the slice. */
  readonly write?: (tx: Tx) => Promise<void>;
}

export interface FinishedWork<Input, SliceResult> {
  readonly job: JobRecord;
  readonly input: Input;
  /** In slice order. Dropped slices have no result. */
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

export type JobOutcome = CompletedOutcome | FailedOutcome;

interface Outcome {
  readonly outcome?: unknown;
  /** Database effects of the end of the job. They run in the transaction that settles it, fenced by its attempt. */
  readonly write?: (tx: Tx) => Promise<void>;
}

export interface CompletedOutcome extends Outcome {
  readonly state: 'completed';
  readonly artifact?: NewArtifact;
}

export interface FailedOutcome extends Outcome {
  readonly state: 'failed';
  readonly error: JobError;
}

/** An open job that the engine is about to end. */
export interface EndedJob<Input> {
  readonly job: JobRecord;
  readonly input: Input;
}

export interface NewArtifact {
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly etag: string;
  /** Blobs and numbers from which the surface assembles the artifact. */
  readonly parts: unknown;
  readonly blobs: readonly string[];
  /** How long the artifact can be downloaded, if not as long as the installation's setting. */
  readonly deliverySeconds?: number;
}

export interface SettledJob<Input> {
  readonly job: JobRecord;
  readonly input: Input;
  readonly eventId: string;
  readonly delivery: { readonly id: string; readonly expiresAt: Date } | undefined;
}

export interface Announcement {
  readonly surface: string;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly targets: readonly WebhookTarget[];
}

export interface WebhookTarget {
  readonly url: string;
  /** Name of the scheme that signs. */
  readonly scheme: string;
  /** Sealed with the engine's secret box; never stored in plain text. */
  readonly secrets: Buffer;
}

/** A kind of any types. The engine only passes the values through; `input` is stored as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a registry of kinds with different type arguments has no common type
export type AnyJobKind = JobKind<any, any, any>;

export class JobKinds {
  readonly #kinds = new Map<string, AnyJobKind>();

  constructor(kinds: readonly AnyJobKind[] = []) {
    this.register(kinds);
  }

  /** Adds kinds. The workers must start after the last call. */
  register(kinds: readonly AnyJobKind[]): void {
    for (const kind of kinds) this.#kinds.set(kind.name, kind);
  }

  get(name: string): AnyJobKind {
    const kind = this.#kinds.get(name);
    if (kind === undefined) throw new Error(`bug: job kind ${name} is not registered in this process`);
    return kind;
  }
}
