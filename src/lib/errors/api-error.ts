import type { CatalogueEntry, ErrorCatalogue } from './catalogue.ts';

/**
 * An error that leaves the system: a catalogue code, a message for a person, and further members of the envelope.
 * Everything else that is thrown is a bug or a fault and leaves as the dialect's 500 or 503.
 */
export class ApiError extends Error {
  readonly dialect: string;
  readonly code: string;
  readonly entry: CatalogueEntry;
  readonly extra: ApiErrorExtra;

  constructor(catalogue: ErrorCatalogue, code: string, message?: string, extra: ApiErrorExtra = {}) {
    const entry = entryOf(catalogue, code);
    super(message ?? `${entry.title}.`);
    this.name = 'ApiError';
    this.dialect = catalogue.dialect;
    this.code = code;
    this.entry = entry;
    this.extra = extra;
  }
}

export interface ApiErrorExtra {
  /** Sent as `Retry-After`, and in the body if the dialect shows it. */
  readonly retryAfterSeconds?: number;
  /** Further members of the envelope, e.g. `differs_in`, `details`, `missing_scopes`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export function entryOf(catalogue: ErrorCatalogue, code: string): CatalogueEntry {
  const entry = catalogue.codes[code];
  if (entry === undefined) throw new Error(`bug: ${catalogue.dialect} has no error code ${code}`);
  return entry;
}

/** Returns the `refuse` of one dialect. Its codes are typed, so a surface cannot use a code of another one. */
export function refuseWith<Code extends string>(catalogue: ErrorCatalogue<Code>) {
  return (code: Code, message?: string, extra?: ApiErrorExtra): ApiError =>
    new ApiError(catalogue, code, message, extra);
}
