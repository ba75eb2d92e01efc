import { ApiError, entryOf } from '#lib/errors/api-error.ts';
import { type ShellFault, shownRetry } from '#lib/errors/catalogue.ts';
import type { DialectSpec } from '../dialects/dialect-spec.ts';
import { type DocumentedHeaders, responseHeaders } from './response-headers.ts';
import { outputSchema } from './zod-schemas.ts';

/** Faults of the server or the connection, which every route can answer with: the `default` response. */
const FAULTS: readonly ShellFault[] = [
  'methodNotAllowed',
  'timeout',
  'headersTooLarge',
  'internal',
  'unavailable',
  'storageFull',
  'damaged',
];
const ANYWHERE: readonly ShellFault[] = ['malformed'];
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

/** The name of a status in the names of components, such as `BulkFillNotFound`. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'TooLarge',
  416: 'RangeNotSatisfiable',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'ServerError',
};

/** [HTTP4] [HTTP14] [HTTP16] Headers of every response with these statuses. */
const HEADERS_BY_STATUS: Readonly<Record<number, DocumentedHeaders>> = {
  401: { 'WWW-Authenticate': responseHeaders['WWW-Authenticate'] },
  405: { Allow: responseHeaders.Allow },
  429: { 'Retry-After': responseHeaders['Retry-After'] },
  503: { 'Retry-After': responseHeaders['Retry-After'] },
};

export interface RouteTraits {
  /** The statuses of its own responses. */
  readonly statuses: readonly number[];
  readonly needsKey: boolean;
  readonly hasParams: boolean;
  readonly hasInput: boolean;
  readonly hasBody: boolean;
}

/** The error codes of a route by status, the shell's and its own. A status that only has faults is left to `default`. */
export function routeErrors(
  dialect: DialectSpec,
  own: readonly string[],
  traits: RouteTraits,
): ReadonlyMap<number, readonly string[]> {
  const shell = [
    ...ANYWHERE,
    ...(traits.needsKey ? WITH_KEY : []),
    ...(traits.hasParams ? WITH_PARAMS : []),
    ...(traits.hasInput ? WITH_INPUT : []),
    ...(traits.hasBody ? WITH_BODY : []),
  ].map((fault) => dialect.errors.shell[fault]);
  const listed = new Set([...byStatus(dialect, [...shell, ...own]).keys(), ...traits.statuses]);
  const faults = faultCodes(dialect).filter((code) => listed.has(entryOf(dialect.errors, code).status));
  return byStatus(dialect, [...shell, ...own, ...faults]);
}

const faultCodes = (dialect: DialectSpec) => [...new Set(FAULTS.map((fault) => dialect.errors.shell[fault]))];

function byStatus(dialect: DialectSpec, codes: readonly string[]): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const code of [...new Set(codes)].sort()) {
    const { status } = entryOf(dialect.errors, code);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

/** The errors of a dialect as components: one response per status with every code of that status, and the faults. */
export function errorComponents(dialect: DialectSpec): Readonly<Record<string, object>> {
  const groups = [...byStatus(dialect, Object.keys(dialect.errors.codes))];
  const named = groups.filter(([status]) => status in STATUS_NAMES);
  const faults = faultCodes(dialect).sort();
  return {
    ...Object.fromEntries(
      named.map(([status, codes]) => [componentName(dialect, status), fullResponse(dialect, status, codes)]),
    ),
    [`${prefixOf(dialect)}Fault`]: {
      description: `A fault of the server or the connection:\n${describeCodes(dialect, faults, true)}`,
      headers: { ...dialect.identityHeaders, ...HEADERS_BY_STATUS[405], ...HEADERS_BY_STATUS[503] },
      content: contentOf(dialect, dialect.errors.shell.unavailable),
    },
  };
}

/** The response to every status that a route does not list. */
export function faultReference(dialect: DialectSpec): object {
  return { $ref: `#/components/responses/${prefixOf(dialect)}Fault` };
}

const prefixOf = (dialect: DialectSpec) => dialect.title.replaceAll(' ', '');

function componentName(dialect: DialectSpec, status: number): string {
  const name = STATUS_NAMES[status];
  if (name === undefined) throw new Error(`bug: the status ${status} has no name`);
  return prefixOf(dialect) + name;
}

/**
 * A reference to the component of the status. The description next to it (allowed by OpenAPI 3.1) lists the codes of this
 * route, if they are not all codes of the status.
 */
export function errorReference(dialect: DialectSpec, status: number, codes: readonly string[]): object {
  const all = Object.keys(dialect.errors.codes).filter(
    (code) => entryOf(dialect.errors, code).status === status,
  );
  return {
    $ref: `#/components/responses/${componentName(dialect, status)}`,
    ...(codes.length < all.length && { description: describeCodes(dialect, codes) }),
  };
}

/** The response with its content, for routes that can also send something else with this status. */
export function fullResponse(
  dialect: DialectSpec,
  status: number,
  codes: readonly string[],
): { description: string; headers: DocumentedHeaders; content: Record<string, object> } {
  return {
    description: describeCodes(dialect, codes),
    headers: { ...dialect.identityHeaders, ...HEADERS_BY_STATUS[status] },
    content: contentOf(dialect, codes[0] ?? ''),
  };
}

function contentOf(dialect: DialectSpec, code: string): Record<string, object> {
  const { mediaType, schema } = dialect.envelope;
  return { [mediaType]: { schema: outputSchema(schema), example: exampleError(dialect, code) } };
}

function describeCodes(dialect: DialectSpec, codes: readonly string[], withStatus = false): string {
  const lines = codes.map((code) => {
    const { title, status, retry } = entryOf(dialect.errors, code);
    const name = withStatus ? `\`${code}\` (${status})` : `\`${code}\``;
    return `- ${name}: ${title} (retry: ${shownRetry[retry]})`;
  });
  return lines.join('\n');
}

/** What the server sends for a code, from the function that sends it. */
function exampleError(dialect: DialectSpec, code: string): unknown {
  const { body } = dialect.render(new ApiError(dialect.errors, code), {
    requestId: '4bf92f3577b34da6a3ce929d0e0e4736',
    path: dialect.prefix,
    baseUrl: 'https://rowpress.example.com',
  });
  return JSON.parse(JSON.stringify(body));
}
