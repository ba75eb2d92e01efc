import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { MAX_JSON_BYTES } from '#http/http-settings.ts';
import { type DocumentedHeaders, responseHeaders } from '#http/openapi/response-headers.ts';
import { getPrincipal } from '#http/principal.ts';
import type { RouteContext } from '#http/route-group.ts';
import { refuse, type SubscribersCode } from '../errors.ts';
import type { SubscribersParts } from '../parts.ts';
import { createRequests, keepSentBody, type SubscriberRequests } from './idempotency.ts';
import { missingScopes, type Scope } from './scopes.ts';

export type SurfaceApp = Parameters<FastifyPluginAsyncZod<RouteContext>>[0];

interface OpenRoute {
  readonly bodyLimit: number;
  readonly onRequest: ((request: FastifyRequest) => Promise<void>)[];
  readonly preValidation?: (request: FastifyRequest) => Promise<void>;
  readonly config: {
    readonly scopes: readonly Scope[];
    readonly errors: readonly SubscribersCode[];
    readonly documentedHeaders?: Readonly<Record<string, object>>;
    readonly documentedResponseHeaders?: Readonly<Record<string, DocumentedHeaders>>;
  };
}

const ONCE_ERRORS: readonly SubscribersCode[] = ['idempotency_key_reused', 'invalid_idempotency_key'];
const ONCE_HEADERS = {
  'Idempotency-Key': {
    type: 'string',
    maxLength: 255,
    examples: ['import-2026-11-17'],
    description:
      'A second request with the same key and payload receives the first response, with Idempotent-Replayed: true.',
  },
};

const ONCE_ANSWER_HEADERS = {
  'Idempotent-Replayed': responseHeaders['Idempotent-Replayed'],
};

/** A body that is not JSON, for the OpenAPI document. */
export const text = (example: string) => ({ type: 'string', examples: [example] });

/** The response headers of a file. */
export const fileHeaders = {
  ETag: responseHeaders.ETag,
  'Content-Disposition': responseHeaders['Content-Disposition'],
};

/** The dependencies of every route file of this surface. */
export interface RouteKit {
  readonly deps: SubscribersParts;
  readonly requests: SubscriberRequests;
  readonly shutdown: AbortSignal;
  /**
   * The guards of a route: a key of this surface, its rate limit, then its scopes. `errors` documents the route's own
   * errors.
   */
  open(scopes: readonly Scope[], errors?: readonly SubscribersCode[]): OpenRoute;
  /** The same for a create that accepts an `Idempotency-Key`. */
  openOnce(scopes: readonly Scope[], errors?: readonly SubscribersCode[]): OpenRoute;
  /** The public address of this server, for absolute links. */
  baseUrl(request: FastifyRequest): string;
}

export function createRouteKit(deps: SubscribersParts, { guards, shutdown }: RouteContext): RouteKit {
  const requireKey = guards.requireKey('subscribers');
  const rateLimit = guards.rateLimit('subscribers', 'subscribers');
  const { publicUrl, basePath } = deps.settings;
  const open: RouteKit['open'] = (scopes, errors = []) => ({
    bodyLimit: MAX_JSON_BYTES,
    onRequest: [requireKey, rateLimit, async (request) => requireScopes(request, scopes)],
    config: { scopes, errors: ['insufficient_scope', ...errors] },
  });
  return {
    deps,
    requests: createRequests(deps),
    shutdown,
    open,
    openOnce: (scopes, errors = []) => {
      const { config, ...route } = open(scopes, [...ONCE_ERRORS, ...errors]);
      return {
        ...route,
        preValidation: keepSentBody,
        config: {
          ...config,
          documentedHeaders: ONCE_HEADERS,
          documentedResponseHeaders: Object.fromEntries(
            [200, 201, 202].map((status) => [status, ONCE_ANSWER_HEADERS]),
          ),
        },
      };
    },
    baseUrl: (request) => publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}${basePath}`,
  };
}

function requireScopes(request: FastifyRequest, required: readonly Scope[]): void {
  const missing = missingScopes(getPrincipal(request).scopes, required);
  if (missing.length === 0) return;
  throw refuse('insufficient_scope', `This key lacks the scope ${missing.join(', ')}.`, {
    members: { required_scopes: required, missing_scopes: missing },
  });
}
