import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { AnyCode, Dialect } from '#lib/errors/catalogue.ts';
import type { Guards } from './guards.ts';

/** What a surface's routes get from the shell. */
export interface SurfaceContext {
  readonly guards: Guards;
  /** Aborts when the server drains: whoever waits for something answers with what there is. */
  readonly shutdown: AbortSignal;
}

/**
 * A surface as the shell sees it: a plugin whose routes are registered below `prefix` and speak `dialect`.
 * Adding a surface is one folder and one line in the composition root.
 */
export interface SurfaceSpec {
  readonly dialect: Dialect;
  readonly prefix: string;
  readonly plugin: FastifyPluginAsyncZod<SurfaceContext>;
  /** What it sends to others, for the `webhooks` of the OpenAPI document: a path item by event name. */
  readonly webhooks?: Readonly<Record<string, object>>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Catalogue codes that this route may answer with, besides those that any route may. */
    errors?: readonly AnyCode[];
    /** A request body that the schemas cannot express (multipart, NDJSON): JSON Schema by media type. */
    documentedBody?: Readonly<Record<string, object>>;
    /** Request headers that the route reads: JSON Schema by name, with `required` of its own. Schemas would drop all others. */
    documentedHeaders?: Readonly<Record<string, object>>;
    /** Answers that are no JSON (a ZIP, an event stream): OpenAPI response objects by status. */
    documentedResponses?: Readonly<Record<string, object>>;
    /** Needs no key. */
    public?: boolean;
    /** Scopes a key needs for this route, where the surface has such. */
    scopes?: readonly string[];
  }
}
