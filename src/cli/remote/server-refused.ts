import { toSnake } from '#client/camel-case.ts';
import type { RowpressError } from '#client/rowpress-error.ts';

/** A request that the server rejected, or that did not reach it. Its code is the server's, or one of the client. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused';
  readonly code: string;
  /** Further members for `--json`. */
  readonly details: object;

  constructor(error: RowpressError) {
    super(error.message);
    const { code, status, retry, requestId, requestKey, retryAfterSeconds, details } = error;
    this.code = code;
    this.details = {
      ...(toSnake(details) as object),
      ...(status !== 0 && { status }),
      retry,
      ...(requestId !== undefined && { request_id: requestId }),
      ...(requestKey !== undefined && { idempotency_key: requestKey }),
      ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
    };
  }

  /** The message with what a person needs to act on it. */
  get words(): string {
    const {
      retry,
      retry_after_seconds: after,
      request_id: id,
      idempotency_key: key,
    } = this.details as Record<string, unknown>;
    const notes = [
      this.code,
      ...(retry === 'same-key'
        ? [`repeat the command${key === undefined ? '' : ` with --idempotency-key ${key}`}`]
        : []),
      ...(after === undefined ? [] : [`after ${Math.ceil(Number(after))} s`]),
      ...(id === undefined ? [] : [`request ${id}`]),
    ];
    return `${this.message} (${notes.join(', ')})`;
  }
}
