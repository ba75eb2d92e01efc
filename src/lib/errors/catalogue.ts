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

export interface CatalogueEntry {
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly title: string;
}

export const permanent = (status: number, title: string): CatalogueEntry => ({
  status,
  retryable: false,
  title,
});
export const retryable = (status: number, title: string): CatalogueEntry => ({
  status,
  retryable: true,
  title,
});

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
