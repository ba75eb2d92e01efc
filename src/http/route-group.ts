import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Guards } from './guards.ts';

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
  /** The webhook events of the group, for the OpenAPI document: a path item by event name. */
  readonly webhooks?: Readonly<Record<string, object>>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Catalogue codes of this route, besides those of every route. */
    errors?: readonly string[];
    /** A request body that the schemas cannot express (multipart, NDJSON): JSON Schema by media type. */
    documentedBody?: Readonly<Record<string, object>>;
    /**
     * Request headers that the route reads: JSON Schema by name, each with its own `required`. Schemas would drop all
     * others.
     */
    documentedHeaders?: Readonly<Record<string, object>>;
    /** Responses that are not JSON (a ZIP, an event stream): OpenAPI response objects by status. */
    documentedResponses?: Readonly<Record<string, object>>;
    /** Needs no key. */
    public?: boolean;
    /** Scopes that a key needs for this route. */
    scopes?: readonly string[];
  }
}
