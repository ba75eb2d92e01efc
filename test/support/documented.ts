import { z } from 'zod';
import { listsCode, operationsOf, readDocument, responseOf, standalone } from './openapi-document.ts';

/**
 * Checks responses against the published OpenAPI document (I9): status and code of every response from a documented
 * route must be listed there. Clients of the contract tests check every response.
 */
const document = readDocument();

/** A path without parameters takes precedence over a parameterised one that also matches. */
const parameters = (template: string) => template.split('{').length;
const operations = operationsOf(document)
  .sort((a, b) => parameters(a.path) - parameters(b.path))
  .map(({ path, method, operation }) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    path,
    method,
    operation,
  }));

/** Returns the problem with a response, or null. Undocumented paths and methods are not checked. */
export function undocumented(
  method: string,
  path: string,
  status: number,
  code: string | undefined,
): string | null {
  const [plain = ''] = path.split('?');
  const template = operations.find(({ pattern }) => pattern.test(plain))?.path;
  const found = operations.find((each) => each.path === template && each.method === method.toUpperCase());
  if (found === undefined) return null;
  const answer = responseOf(document, found.operation, status);
  if (answer === undefined || (answer.isDefault && code === undefined))
    return `${method} ${plain}: ${status} is not in the OpenAPI document`;
  // Descriptions list the codes of every dialect as inline code.
  if (code === undefined || listsCode(answer, code, status)) return null;
  return `${method} ${plain}: ${status} ${code} is not in the OpenAPI document`;
}

/** Returns the problem with a webhook body according to its documented schema. */
export function undocumentedEvent(type: string, body: unknown): readonly unknown[] {
  const schema = document.webhooks[type]?.post.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return [`${type} is not in the OpenAPI document`];
  const closed = standalone(document, schema) as Parameters<typeof z.fromJSONSchema>[0];
  return z.fromJSONSchema(closed).safeParse(body).error?.issues ?? [];
}
