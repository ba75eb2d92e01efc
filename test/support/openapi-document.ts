import { readFileSync } from 'node:fs';

/** docs/openapi.json as tests read it, with its references followed. */
export interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, DocumentedBody>>;
}
export interface DocumentedBody {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, object>>;
}
export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly object[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, DocumentedBody>>;
  };
  readonly responses: Readonly<Record<string, object>>;
}
export interface OpenapiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

export const readDocument = (): OpenapiDocument =>
  JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as OpenapiDocument;

/** Every operation of the paths, named by method and path. */
export function operationsOf(document: OpenapiDocument) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
}

/** Follows a reference. The description next to it overrides that of the component (OpenAPI 3.1, Reference Object). */
export function resolve<T extends object>(document: OpenapiDocument, part: object): T {
  if (!('$ref' in part)) return part as T;
  const { $ref, ...overrides } = part as { $ref: string };
  const [kind = '', name = ''] = $ref.replace('#/components/', '').split('/');
  const found = document.components[kind]?.[name];
  if (found === undefined) throw new Error(`${$ref} is not in the document`);
  return resolve(document, { ...found, ...overrides });
}

/** The response of an operation to a status: its own, otherwise `default`. */
export function responseOf(
  document: OpenapiDocument,
  operation: DocumentedOperation,
  status: number | string,
): (DocumentedResponse & { readonly isDefault: boolean }) | undefined {
  const own = operation.responses[status];
  const found = own ?? operation.responses.default;
  if (found === undefined) return undefined;
  return { ...resolve<DocumentedResponse>(document, found), isDefault: own === undefined };
}

/** Whether a response lists a code. The default response also lists the status of each. */
export function listsCode(
  { description, isDefault }: { readonly description: string; readonly isDefault: boolean },
  code: string,
  status: number,
): boolean {
  return description.includes(isDefault ? `\`${code}\` (${status})` : `\`${code}\``);
}

/** A schema as a self-contained JSON Schema that rejects members which the document does not list. */
export function standalone(document: OpenapiDocument, schema: object): object {
  const local = (part: object) =>
    closed(JSON.parse(JSON.stringify(part).replaceAll('#/components/schemas/', '#/$defs/')));
  const schemas = Object.entries(document.components.schemas ?? {});
  return { ...local(schema), $defs: Object.fromEntries(schemas.map(([id, part]) => [id, local(part)])) };
}

/** Responses may get further members in later versions, so the document does not forbid them. Tests do. */
export function closed<T extends object>(schemas: T): T {
  return JSON.parse(JSON.stringify(schemas), (_key, part) => {
    const isOpen =
      typeof part === 'object' &&
      part !== null &&
      part.type === 'object' &&
      'properties' in part &&
      !('additionalProperties' in part);
    return isOpen ? { ...part, additionalProperties: false } : part;
  }) as T;
}
