import {
  type AnyCode,
  type CatalogueEntry,
  catalogue,
  type Dialect,
  type ShellFault,
  shellCodes,
} from '#lib/errors/catalogue.ts';

/** JSON Schema as OpenAPI 3.1 takes it (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ErrorResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

/** What any route may answer, whatever it does. */
const ANYWHERE: readonly ShellFault[] = [
  'malformed',
  'methodNotAllowed',
  'timeout',
  'headersTooLarge',
  'internal',
  'unavailable',
  'storageFull',
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

/** [HTTP14] These say when to come again. */
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
  dialect: Dialect,
  own: readonly AnyCode[],
  traits: RouteTraits,
): Readonly<Record<number, ErrorResponse>> {
  const faults = [
    ...ANYWHERE,
    ...(traits.needsKey ? WITH_KEY : []),
    ...(traits.hasParams ? WITH_PARAMS : []),
    ...(traits.hasInput ? WITH_INPUT : []),
    ...(traits.hasBody ? WITH_BODY : []),
  ];
  const codes = new Set<AnyCode>([...faults.map((fault) => shellCodes[fault][dialect]), ...own]);
  const byStatus = new Map<number, AnyCode[]>();
  for (const code of codes) {
    const { status } = entryOf(dialect, code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      { ...errorResponse(dialect, group.sort()), ...(RETRIED.has(status) && { headers: retryAfter }) },
    ]),
  );
}

export function errorResponse(dialect: Dialect, codes: readonly AnyCode[]): ErrorResponse {
  const lines = codes.map((code) => `- \`${code}\`: ${entryOf(dialect, code).title}`);
  const { mediaType, schema } = envelope(dialect, codes);
  return { description: lines.join('\n'), content: { [mediaType]: { schema } } };
}

function entryOf(dialect: Dialect, code: AnyCode): CatalogueEntry {
  const entry = (catalogue[dialect] as Record<string, CatalogueEntry>)[code];
  if (entry === undefined) throw new Error(`bug: ${dialect} has no error code ${code}`);
  return entry;
}

/** The envelopes of `src/http/dialects`, narrowed to the codes that can come. */
function envelope(dialect: Dialect, codes: readonly AnyCode[]): { mediaType: string; schema: JsonSchema } {
  const text = { type: 'string' };
  const texts = { type: 'array', items: text };
  const known = { type: 'string', enum: codes };
  switch (dialect) {
    case 'bulkfill': {
      const properties = {
        code: known,
        message: text,
        ...(codes.some((code) => code.endsWith('_COOLDOWN')) && { retry_after_seconds: { type: 'integer' } }),
        ...(codes.includes('IDEMPOTENCY_KEY_PAYLOAD_MISMATCH') && { differs_in: texts }),
      };
      return { mediaType: 'application/json', schema: object(properties, ['code', 'message']) };
    }
    case 'console': {
      const members = { code: known, message: text, field: text, request_id: text };
      const error = object(members, ['code', 'message', 'request_id']);
      return { mediaType: 'application/json', schema: object({ error }, ['error']) };
    }
    case 'subscribers': {
      const members = {
        type: text,
        code: known,
        message: text,
        details: object({ field: text, reason: text }, []),
        ...(codes.includes('insufficient_scope') && { required_scopes: texts, missing_scopes: texts }),
      };
      const error = object(members, ['type', 'code', 'message']);
      return { mediaType: 'application/json', schema: object({ error }, ['error']) };
    }
    case 'ingest': {
      const type = { type: 'string', format: 'uri', pattern: `#(${codes.join('|')})$` };
      const properties = {
        type,
        title: text,
        status: { type: 'integer' },
        detail: text,
        instance: text,
        trace_id: text,
      };
      return { mediaType: 'application/problem+json', schema: object(properties, Object.keys(properties)) };
    }
  }
}

function object(properties: object, required: readonly string[]): JsonSchema {
  return { type: 'object', required, properties };
}
