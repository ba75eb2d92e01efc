import type { Retry } from '#lib/errors/catalogue.ts';
import { type BulkfillCode, bulkfillErrors } from '../errors.ts';
import { cutText } from './small-results.ts';

interface FailureExtra {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The fields in which a request differs from the first one with its key. */
  readonly differsIn?: readonly string[] | undefined;
}

/** An error that a tool returns: a code of the catalogue, and what the caller can do. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: string;
  readonly extra: FailureExtra;

  /** The code is one of the catalogue, or one of a newer server. */
  constructor(code: BulkfillCode | (string & {}), message: string, extra: FailureExtra = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }

  /** The error as the caller sees it. */
  view(): Readonly<Record<string, unknown>> {
    const { status, requestId, retryAfterSeconds, differsIn } = this.extra;
    return {
      code: this.code,
      message: cutText(this.message),
      retry: retryOf(this.code, status),
      ...(status !== undefined && { status }),
      ...(requestId !== undefined && { request_id: requestId }),
      ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
      ...(differsIn !== undefined && { differs_in: differsIn }),
    };
  }
}

const entries: Readonly<Record<string, { readonly retry: Retry } | undefined>> = bulkfillErrors.codes;

/** Whether a retry can succeed, and with which key. A code that this version does not have is judged by its status. */
export function retryOf(code: string, status = 400): Retry {
  return entries[code]?.retry ?? (status === 429 || status === 503 ? 'same-key' : 'no');
}

/** Codes are read by programs; text of another server is not passed on as one. */
export const tokenOf = (code: string): string =>
  /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : 'INTERNAL_ERROR';
