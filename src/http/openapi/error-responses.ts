import { entryOf } from '#lib/errors/api-error.ts';
import type { ShellFault } from '#lib/errors/catalogue.ts';
import type { DialectSpec, JsonSchema } from '../dialects/dialect-spec.ts';

export interface ErrorResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

/** Faults of every route. */
const ANYWHERE: readonly ShellFault[] = [
  'malformed',
  'methodNotAllowed',
  'timeout',
  'headersTooLarge',
  'internal',
  'unavailable',
  'storageFull',
  'damaged',
];
const WITH_KEY: readonly ShellFault[] = [
  'keyRequired',
  'keyInvalid',
  'keyRevoked',
  'keyExpired',
  'accountInactive',
  'rateLimited',
];
const WITH_PARAMS: readonly ShellFault[] = ['badUrl'];
const WITH_INPUT: readonly ShellFault[] = ['invalidBody'];
const WITH_BODY: readonly ShellFault[] = ['payloadTooLarge'];

/** [HTTP14] Statuses with `Retry-After`. */
const RETRIED: ReadonlySet<number> = new Set([429, 503]);
const retryAfter = { 'Retry-After': { type: 'integer', minimum: 1, description: 'Whole seconds' } };

export interface RouteTraits {
  readonly needsKey: boolean;
  readonly hasParams: boolean;
  readonly hasInput: boolean;
  readonly hasBody: boolean;
}

/** All errors of a route by status, the shell's and its own, from the catalogue. */
export function errorResponses(
  dialect: DialectSpec,
  own: readonly string[],
  traits: RouteTraits,
): Readonly<Record<number, ErrorResponse>> {
  const faults = [
    ...ANYWHERE,
    ...(traits.needsKey ? WITH_KEY : []),
    ...(traits.hasParams ? WITH_PARAMS : []),
    ...(traits.hasInput ? WITH_INPUT : []),
    ...(traits.hasBody ? WITH_BODY : []),
  ];
  const codes = new Set<string>([...faults.map((fault) => dialect.errors.shell[fault]), ...own]);
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const { status } = entryOf(dialect.errors, code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      { ...errorResponse(dialect, group.sort()), ...(RETRIED.has(status) && { headers: retryAfter }) },
    ]),
  );
}

export function errorResponse(dialect: DialectSpec, codes: readonly string[]): ErrorResponse {
  const lines = codes.map((code) => `- \`${code}\`: ${entryOf(dialect.errors, code).title}`);
  const { mediaType, schema } = dialect.envelope(codes);
  return { description: lines.join('\n'), content: { [mediaType]: { schema } } };
}
