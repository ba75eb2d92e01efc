export type Surface = 'bulkfill' | 'subscribers' | 'ingest';

/**
 * What to do about an error. `same-key`: send the same request again, under the same key. `new-key`: correct the cause, then
 * send it as a new request. `no`: a repetition gives the same error.
 */
export type Retry = 'same-key' | 'new-key' | 'no';

export interface RowpressErrorInit {
  readonly code: string;
  readonly status: number;
  readonly retry: Retry;
  readonly requestId?: string | undefined;
  readonly requestKey?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** A request that failed for good. A job that failed is not an error: it is returned with its state. */
export class RowpressError extends Error {
  /** The code of the server's error table, or `CONNECTION_FAILED`, `TIMEOUT`, `CHECKSUM_MISMATCH`, `WEBHOOK_INVALID`, … */
  readonly code: string;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly retry: Retry;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** The Idempotency-Key or correlation id that was sent. Use it to send the same request again. */
  readonly requestKey: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Further members of the error, in camelCase. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, init: RowpressErrorInit) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'RowpressError';
    this.code = init.code;
    this.status = init.status;
    this.retry = init.retry;
    this.requestId = init.requestId;
    this.requestKey = init.requestKey;
    this.retryAfterSeconds = init.retryAfterSeconds;
    this.details = init.details ?? {};
  }
}

/** The connection broke, or the attempt timed out: the server may or may not have received the request. */
export const isConnectionFailure = (error: unknown): error is RowpressError =>
  error instanceof RowpressError && error.status === 0 && error.retry === 'same-key';
