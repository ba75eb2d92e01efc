import { type AnyCode, type CatalogueEntry, type CodeOf, catalogue, type Dialect } from './catalogue.ts';

/**
 * An error that leaves the system: a catalogue code, a message for a person, and what the envelope adds.
 * Everything else that is thrown is a bug or a fault and leaves as the dialect's 500 or 503.
 */
export class ApiError extends Error {
  readonly dialect: Dialect;
  readonly code: AnyCode;
  readonly entry: CatalogueEntry;
  readonly extra: ApiErrorExtra;

  constructor(dialect: Dialect, code: AnyCode, message?: string, extra: ApiErrorExtra = {}) {
    const entry = (catalogue[dialect] as Record<string, CatalogueEntry>)[code];
    if (entry === undefined) throw new Error(`bug: ${dialect} has no error code ${code}`);
    super(message ?? `${entry.title}.`);
    this.name = 'ApiError';
    this.dialect = dialect;
    this.code = code;
    this.entry = entry;
    this.extra = extra;
  }
}

export interface ApiErrorExtra {
  /** Sent as `Retry-After`, and in the body where the dialect shows it. */
  readonly retryAfterSeconds?: number;
  /** Further members of the envelope, e.g. `differs_in`, `details`, `missing_scopes`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Typed by dialect, so that a surface cannot use another one's code: `refuse('bulkfill', 'NO_ROWS')`. */
export function refuse<D extends Dialect>(
  dialect: D,
  code: CodeOf<D>,
  message?: string,
  extra?: ApiErrorExtra,
): ApiError {
  return new ApiError(dialect, code as AnyCode, message, extra);
}
