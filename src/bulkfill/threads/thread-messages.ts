import type { FillPlan } from '#fill/fill-plan.ts';
import type { AssetSource } from '#fill/node/assets/asset-source.ts';
import type { BaseFacts } from '#fill/prepare/prepared-base.ts';
import type { RowRecord } from '#fill/row-filler.ts';
import type { ThreadFailure } from './thread-failure.ts';

/** What rows are drawn on; the bytes are shared by all threads, so a template costs its size once. */
export interface Template {
  readonly key: string;
  readonly base: SharedArrayBuffer;
  readonly facts: BaseFacts;
  readonly plan: FillPlan;
  readonly assets?: AssetSource;
  readonly maxCellChars: number;
}

export interface FillTask {
  readonly kind: 'fill';
  readonly key: string;
  /** Left out when the thread has it already. */
  readonly template?: Template;
  readonly firstRow: number;
  /** Normalised rows, one JSON object a line. */
  readonly rows: Uint8Array;
}

export type ThreadTask = FillTask | { readonly kind: 'warm-up' };
/** What a thread may receive: a task when it has none, and during `fill` that a piece was taken. */
export type ThreadMessage = ThreadTask | { readonly kind: 'taken' };

export type ThreadAnswer =
  /** A piece of the rows; `all-filled` follows the last one. */
  | { readonly kind: 'filled'; readonly tails: Uint8Array; readonly records: readonly RowRecord[] }
  | { readonly kind: 'all-filled' }
  | { readonly kind: 'template-unknown' | 'warm' }
  | ThreadFailure;
