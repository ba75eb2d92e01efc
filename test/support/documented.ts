import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * Checks responses against the published OpenAPI document (I9): status and code of every response from a documented
 * route must be listed there. Clients of the contract tests check every response.
 */
interface Operation {
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly webhooks: Readonly<
    Record<string, { post: { requestBody: { content: { 'application/json': { schema: object } } } } }>
  >;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

/** A path without parameters takes precedence over a parameterised one that also matches. */
const parameters = (template: string) => template.split('{').length;
const paths = Object.entries(document.paths)
  .sort(([a], [b]) => parameters(a) - parameters(b))
  .map(([template, operations]) => ({
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    operations,
  }));

/** Returns the problem with a response, or null. Undocumented paths and methods are not checked. */
export function undocumented(
  method: string,
  path: string,
  status: number,
  code: string | undefined,
): string | null {
  const [plain = ''] = path.split('?');
  const operation = paths.find(({ pattern }) => pattern.test(plain))?.operations[method.toLowerCase()];
  if (operation === undefined) return null;
  const answer = operation.responses[String(status)];
  if (answer === undefined) return `${method} ${plain}: ${status} is not in the OpenAPI document`;
  // Descriptions list the codes of every dialect as inline code.
  if (code === undefined || JSON.stringify(answer).includes(`\`${code}\``)) return null;
  return `${method} ${plain}: ${status} ${code} is not in the OpenAPI document`;
}

/** Returns the problem with a webhook body according to its documented schema. */
export function undocumentedEvent(type: string, body: unknown): readonly unknown[] {
  const schema = document.webhooks[type]?.post.requestBody.content['application/json'].schema;
  if (schema === undefined) return [`${type} is not in the OpenAPI document`];
  return (
    z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(body).error?.issues ?? []
  );
}
