import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { MAX_JSON_BYTES } from '#http/http-settings.ts';
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
  };
}

const ONCE_ERRORS: readonly SubscribersCode[] = ['idempotency_key_reused', 'invalid_idempotency_key'];
const ONCE_HEADERS = {
  'Idempotency-Key': {
    type: 'string',
    maxLength: 255,
    description: 'The same key and payload again: the first response, with Idempotent-Replayed: true.',
  },
};

/** An answer that no schema of the route describes, for the document: not JSON, or JSON that is sent as it is. */
export function documented(
  mediaTypes: string | readonly string[],
  description: string,
  schema: object = { type: 'string' },
): Readonly<Record<string, object>> {
  const content = [mediaTypes].flat().map((mediaType) => [mediaType, { schema }]);
  return { 200: { description, content: Object.fromEntries(content) } };
}

/** The parts that every route file of this surface receives. */
export interface RouteKit {
  readonly deps: SubscribersParts;
  readonly requests: SubscriberRequests;
  readonly shutdown: AbortSignal;
  /** The route's guards: a key of this surface, its rate, then its scopes. `errors` are its own, for the document. */
  open(scopes: readonly Scope[], errors?: readonly SubscribersCode[]): OpenRoute;
  /** The same for a create that takes an `Idempotency-Key`. */
  openOnce(scopes: readonly Scope[], errors?: readonly SubscribersCode[]): OpenRoute;
  /** Where this server is reached, for links that leave it. */
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
        config: { ...config, documentedHeaders: ONCE_HEADERS },
      };
    },
    baseUrl: (request) => publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}${basePath}`,
  };
}

function requireScopes(request: FastifyRequest, required: readonly Scope[]): void {
  const missing = missingScopes(getPrincipal(request).scopes, required);
  if (missing.length === 0) return;
  throw refuse('insufficient_scope', `This key lacks ${missing.join(', ')}.`, {
    members: { required_scopes: required, missing_scopes: missing },
  });
}
