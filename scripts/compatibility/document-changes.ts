import { type Schema, type Side, schemaChanges } from './schema-changes.ts';

/** The parts of an OpenAPI document that a client relies on. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, object>>>>;
}
interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}
interface Response extends Body {
  readonly headers?: Readonly<Record<string, object>>;
}
interface Operation {
  readonly operationId?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly object[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, object>>;
  readonly 'x-max-body-bytes'?: number;
}

/** A change that breaks clients. `subject` is the operation, as the changelog must name it. */
export interface BreakingChange {
  readonly subject: string;
  readonly change: string;
}

/** Compares the document of the last release with the present one. */
export function breakingChanges(before: Document, after: Document): BreakingChange[] {
  return [
    ...comparePaths(before, after, before.paths, after.paths, compareOperation),
    ...comparePaths(before, after, before.webhooks ?? {}, after.webhooks ?? {}, compareEvent),
  ];
}

type Compare = (before: Found, after: Found) => string[];
interface Found {
  readonly document: Document;
  readonly operation: Operation;
}

function comparePaths(
  before: Document,
  after: Document,
  olds: Document['paths'],
  news: Document['paths'],
  compare: Compare,
): BreakingChange[] {
  return Object.entries(olds).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const subject = operation.operationId ?? `${method.toUpperCase()} ${path}`;
      const present = news[path]?.[method];
      const changes =
        present === undefined
          ? [`${method.toUpperCase()} ${path} was removed`]
          : compare({ document: before, operation }, { document: after, operation: present });
      return [...new Set(changes)].map((change) => ({ subject, change }));
    }),
  );
}

function compareOperation(before: Found, after: Found): string[] {
  const [old, present] = [before.operation, after.operation];
  const limit = present['x-max-body-bytes'] ?? Number.POSITIVE_INFINITY;
  return [
    ...(old.operationId !== present.operationId ? [`its id is now ${present.operationId}`] : []),
    ...compareSecurity(old.security ?? [], present.security ?? []),
    ...compareParameters(before, after),
    ...(limit < (old['x-max-body-bytes'] ?? 0) ? [`its body is limited to ${limit} bytes`] : []),
    ...(present.requestBody?.required === true && old.requestBody?.required !== true
      ? ['a request body is required']
      : []),
    ...compareContent(before, after, old.requestBody, present.requestBody, 'request', 'request'),
    ...compareResponses(before, after),
  ];
}

/** The server sends events, so their bodies are compared like responses. */
function compareEvent(before: Found, after: Found): string[] {
  const { requestBody: old } = before.operation;
  return compareContent(before, after, old, after.operation.requestBody, 'response', 'event');
}

/** Every credential that was enough must still be enough. */
function compareSecurity(before: NonNullable<Operation['security']>, after: typeof before): string[] {
  const covers = (needed: (typeof before)[number], held: (typeof before)[number]) =>
    Object.entries(needed).every(
      ([scheme, scopes]) => scheme in held && scopes.every((scope) => held[scheme]?.includes(scope)),
    );
  if (after.length === 0) return [];
  if (before.length === 0) return ['a key is required'];
  const lost = before.filter((held) => !after.some((needed) => covers(needed, held)));
  return lost.length === 0 ? [] : [`a key needs ${JSON.stringify(after)}`];
}

function compareParameters(before: Found, after: Found): string[] {
  const list = ({ document, operation }: Found) =>
    new Map(
      (operation.parameters ?? [])
        .map((each) => resolve<Parameter>(document, each))
        .map((each) => [`${each.in} parameter ${each.name}`, each]),
    );
  const [olds, news] = [list(before), list(after)];
  const required = [...news].filter(
    ([name, { required }]) => required === true && olds.get(name)?.required !== true,
  );
  return [
    ...[...olds.keys()].filter((name) => !news.has(name)).map((name) => `${name} was removed`),
    ...required.map(([name]) => `${name} is required`),
    ...[...olds].flatMap(([name, { schema: old = {} }]) => {
      const { schema } = news.get(name) ?? {};
      if (schema === undefined) return [];
      const sides = { before: side(before.document, old), after: side(after.document, schema) };
      return schemaChanges({ ...sides, use: 'request' }, name);
    }),
  ];
}

function compareResponses(before: Found, after: Found): string[] {
  return Object.entries(before.operation.responses).flatMap(([status, response]) => {
    const isError = !/^[123]/.test(status);
    const found = after.operation.responses[status];
    // An error that no longer happens breaks nobody.
    if (found === undefined) return isError ? [] : [`the response ${status} was removed`];
    const old = resolve<Response>(before.document, response);
    const present = resolve<Response>(after.document, found);
    const lost = Object.keys(old.headers ?? {}).filter((name) => present.headers?.[name] === undefined);
    return [
      ...lost.map((name) => `response ${status}: the header ${name} was removed`),
      ...compareContent(before, after, old, present, 'response', `response ${status}`, isError),
    ];
  });
}

function compareContent(
  before: Found,
  after: Found,
  old: Body | undefined,
  present: Body | undefined,
  use: 'request' | 'response',
  name: string,
  allowsNewValues = false,
): string[] {
  return Object.entries(old?.content ?? {}).flatMap(([type, { schema = {} }]) => {
    const media = present?.content?.[type];
    if (media === undefined) return [`${name}: ${type} was removed`];
    const sides = { before: side(before.document, schema), after: side(after.document, media.schema ?? {}) };
    return schemaChanges({ ...sides, use, allowsNewValues }).map((change) => `${name}: ${change}`);
  });
}

const side = (document: Document, schema: Schema): Side => ({
  schema,
  follow: (each) => resolve<Schema>(document, each),
});

function resolve<T extends object>(document: Document, part: object): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
  const [kind = '', name = ''] = part.$ref.replace('#/components/', '').split('/');
  const found = document.components?.[kind]?.[name];
  if (found === undefined) throw new Error(`${part.$ref} is not in the document`);
  return resolve(document, found);
}
