/**
 * The errors of one dialect. A dialect is the language of a route group; its codes are wire values that clients match on, so
 * a code is never renamed. `docs/errors.md` is generated from the catalogues of all surfaces and of the console.
 */
export interface ErrorCatalogue<Code extends string = string> {
  readonly dialect: string;
  readonly codes: Readonly<Record<Code, CatalogueEntry>>;
  /** The code for each fault that the HTTP shell itself reports. */
  readonly shell: Readonly<Record<ShellFault, Code>>;
}

/**
 * What a client can do after an error without changing the request. The key is the request's idempotency key
 * (`Idempotency-Key`, `X-Correlation-Id`); for a request without one, `same-key` is the same request.
 *
 * - `same-key`: the failure is not stored, so the same request with the same key can succeed later.
 * - `new-key`: the key belongs to a stored outcome, which the server repeats; the same request with a new key can succeed.
 * - `no`: the request fails again with any key, until the request, the account or the resource is changed.
 */
export type Retry = 'same-key' | 'new-key' | 'no';

export interface CatalogueEntry {
  readonly status: number;
  readonly retry: Retry;
  readonly title: string;
}

const entry =
  (retry: Retry) =>
  (status: number, title: string): CatalogueEntry => ({ status, retry, title });
export const permanent = entry('no');
export const sameKey = entry('same-key');
export const newKey = entry('new-key');

/** The guidance as the error list shows it. */
export const shownRetry = {
  'same-key': 'same key',
  'new-key': 'new key',
  no: 'no',
} as const satisfies Record<Retry, string>;

export const shellFaults = [
  'keyRequired',
  'keyInvalid',
  'keyRevoked',
  'keyExpired',
  'accountInactive',
  'routeNotFound',
  'methodNotAllowed',
  'timeout',
  'headersTooLarge',
  'badUrl',
  'malformed',
  'invalidBody',
  'payloadTooLarge',
  'rateLimited',
  'internal',
  'unavailable',
  'storageFull',
  'damaged',
] as const;
export type ShellFault = (typeof shellFaults)[number];
