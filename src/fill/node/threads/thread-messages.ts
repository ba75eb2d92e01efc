import type { FillPlan } from '#fill/fill-plan.ts';
import type { FilledPiece } from '#fill/fill-rows.ts';
import type { BaseFacts } from '#fill/prepare/prepared-base.ts';
import type { AssetSource } from '../assets/asset-source.ts';
import type { PackedPiece, PackedRows } from './packed-rows.ts';
import type { ThreadFailure } from './thread-failure.ts';

/**
 * The messages between a process and its fill threads, for a server's slices and for `rowpress fill`. A thread performs
 * `warm-up`, `open` and `fill` in the order in which they arrive. It does not answer an `open`. It answers a `fill` with its
 * pieces in row order, and each `warm-up` and `fill` with a final `done` or `failed`.
 */
export type ThreadMessage = ThreadTask | Taken;
export type ThreadTask = { readonly kind: 'warm-up' } | OpenTask | FillTask;
export type ThreadAnswer = PieceMessage | { readonly kind: 'done' } | ThreadFailure;

/** Compiles a template. A thread keeps the last few; the sender tracks them with the same `rememberTemplate`. */
export interface OpenTask {
  readonly kind: 'open';
  readonly template: Template;
}

const MAX_TEMPLATES = 4;

export function rememberTemplate<Kept>(known: Map<string, Kept>, key: string, kept: Kept): void {
  known.delete(key);
  const oldest = known.keys().next().value;
  if (known.size >= MAX_TEMPLATES && oldest !== undefined) known.delete(oldest);
  known.set(key, kept);
}

/** What rows are drawn on. All threads share the bytes of the base, so a template costs its size once. */
export interface Template {
  readonly key: string;
  readonly base: SharedArrayBuffer;
  readonly facts: BaseFacts;
  readonly plan: FillPlan;
  readonly assets?: AssetSource | undefined;
  readonly maxCellChars: number;
}

export interface FillTask {
  readonly kind: 'fill';
  /** Key of an opened template. */
  readonly key: string;
  readonly firstRow: number;
  readonly rows: TaskRows;
  readonly form: PieceForm;
  /** The thread waits while this many bytes of tails were sent and not yet taken. */
  readonly maxUntakenBytes: number;
}

/** Rows in the form in which the sender has them: as lines of normalised JSON, or packed from their cells. */
export type TaskRows =
  | { readonly kind: 'lines'; readonly bytes: Uint8Array }
  | { readonly kind: 'packed'; readonly runs: readonly PackedRows[] };

/** `records`: the record of every row. `packed`: the lines and the index of an archive, which are far cheaper to pass. */
export type PieceForm = 'records' | 'packed';

export type PieceMessage = { readonly kind: 'piece' } & (
  | ({ readonly form: 'records' } & FilledPiece)
  | ({ readonly form: 'packed' } & PackedPiece)
);

/** The sender has passed on a piece with this many bytes of tails. It may be sent while a `fill` is running. */
export interface Taken {
  readonly kind: 'taken';
  readonly bytes: number;
}

/** Whether a piece counts as untaken. Small ones are not worth a message. */
export const isCounted = (tailBytes: number): boolean => tailBytes > 1_000_000;
