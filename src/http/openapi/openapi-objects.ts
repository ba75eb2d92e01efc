import type { JsonSchema } from '../dialects/dialect-spec.ts';
import type { DocumentedHeaders } from './response-headers.ts';

/** The objects of OpenAPI 3.1 that this server writes, as far as it uses them. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: DocumentedHeaders | Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, MediaType | object>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | object)[];
  readonly 'x-max-body-bytes'?: number | undefined;
  readonly requestBody?:
    | { readonly required: boolean; readonly content: Readonly<Record<string, MediaType>> }
    | undefined;
  readonly responses: Readonly<Record<string, ResponseObject | object>>;
}

export type PathItem = Readonly<Record<string, Operation>>;

export interface OpenapiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, object>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}
