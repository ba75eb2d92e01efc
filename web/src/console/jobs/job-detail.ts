import type { Delivery } from '../webhooks/delivery.ts';
import type { Job } from './job.ts';

/** What the page of one job shows beyond the list. */
export interface JobDetail extends Job {
  /** The job whose artifact this one hands out again. */
  readonly reused_from: string | null;
  readonly slices: {
    readonly total: number;
    readonly open: number;
    readonly running: number;
    readonly done: number;
    readonly dropped: number;
    readonly max_attempt: number;
  };
  readonly artifact: {
    readonly media_type: string;
    readonly size_bytes: number;
    readonly expires_at: string;
    readonly available: boolean;
    /** Without the base path. */
    readonly download_path: string | null;
  } | null;
  readonly inputs: readonly { readonly sha256: string; readonly size_bytes: number }[];
  /** Shortened digests of the named parts of the request. */
  readonly body_parts: Readonly<Record<string, string>> | null;
  readonly deliveries: readonly Delivery[];
}

export interface ProblemRow {
  readonly row_number: number;
  readonly status: string;
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
  readonly column_label?: string | null;
}
