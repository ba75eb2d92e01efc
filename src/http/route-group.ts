import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { JsonSchema } from './dialects/dialect-spec.ts';
import type { Guards } from './guards.ts';
import type { DocumentedHeaders } from './openapi/response-headers.ts';
import type { WebhookEvent } from './openapi/webhook-event.ts';

/** What the shell passes to the routes of a group. */
export interface RouteContext {
  readonly guards: Guards;
  /** Aborts when the server drains: handlers that wait must answer with the current state. */
  readonly shutdown: AbortSignal;
}

/** Routes that the shell registers below one prefix. */
export interface RouteGroup {
  readonly prefix: string;
  readonly plugin: FastifyPluginAsyncZod<RouteContext>;
  /** The tags of its operations, for the OpenAPI document. */
  readonly tags?: readonly { readonly name: string; readonly description: string }[];
  /** The webhook events of the group by name, for the OpenAPI document. */
  readonly webhooks?: Readonly<Record<string, WebhookEvent>>;
}

/** A Zod schema, or JSON Schema for what Zod cannot express. Its first example is the example of the document. */
type DocumentedSchema = z.ZodType | JsonSchema;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Catalogue codes of this route, besides those of every route. */
    errors?: readonly string[];
    /** A request body that the route reads itself (multipart, NDJSON): a schema by media type. */
    documentedBody?: Readonly<Record<string, DocumentedSchema>>;
    /**
     * Request headers that the route reads: JSON Schema by name, each with its own `required`. Schemas would drop all
     * others.
     */
    documentedHeaders?: Readonly<Record<string, object>>;
    /** Responses that are not JSON (a ZIP, an event stream) or sent unchanged, by status. */
    documentedResponses?: Readonly<
      Record<
        string,
        { readonly description: string; readonly content?: Readonly<Record<string, DocumentedSchema>> }
      >
    >;
    /** What a response means, by status; absent: the description of its schema. */
    documentedStatuses?: Readonly<Record<string, string>>;
    /** Examples of JSON responses by status; absent: the example of the schema. */
    documentedExamples?: Readonly<Record<string, unknown>>;
    /** Response headers of this route by status, besides those of every route. */
    documentedResponseHeaders?: Readonly<Record<string, DocumentedHeaders>>;
    /** Needs no key. */
    public?: boolean;
    /** Scopes that a key needs for this route. */
    scopes?: readonly string[];
    /** Credentials other than a key with `scopes`, as OpenAPI security requirements. */
    security?: readonly Readonly<Record<string, readonly string[]>>[];
  }
}
