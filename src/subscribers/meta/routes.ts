import { z } from 'zod';
import { getPrincipal } from '#http/principal.ts';
import { findAccount } from '#storage/accounts.ts';
import { itemOf, self, timestamp } from '../contract.ts';
import { documented, type RouteKit, type SurfaceApp } from '../http/route-kit.ts';
import { heldScopes } from '../http/scopes.ts';
import { SCOPES } from '../key-kind.ts';
import { iso } from '../views.ts';
import { subscribersWebhooks } from '../webhooks/documented-events.ts';
import { EVENT_PATTERNS, EVENT_TYPES } from '../webhooks/event-types.ts';
import { type Operation, resourcesFor } from './capabilities.ts';

const workspace = z.object({
  id: z.string(),
  name: z.string(),
  logo: z.null(),
  address: z.null(),
  city: z.null(),
  state: z.null(),
  postal_code: z.null(),
  country: z.null(),
  time_zone: z.null(),
  created_at: timestamp,
  updated_at: timestamp,
  self,
});
const none = {
  logo: null,
  address: null,
  city: null,
  state: null,
  postal_code: null,
  country: null,
  time_zone: null,
};

const SIGNING = {
  algorithm: 'hmac-sha256',
  id_header: 'webhook-id',
  timestamp_header: 'webhook-timestamp',
  signature_header: 'webhook-signature',
  signature_prefix: 'v1',
};

const text = { type: 'string' };
const bareMeta = {
  type: 'object',
  required: ['name', 'version'],
  properties: {
    name: text,
    version: { const: 'v1' },
    documentation_url: text,
    openapi_url: text,
    capabilities_url: text,
    webhook_subscriptions_url: text,
  },
};
const data = { type: 'object', required: ['data'], properties: { data: { type: 'object' } } };
const json = (description: string, schema: object) => documented('application/json', description, schema);

export function metaRoutes(app: SurfaceApp, kit: RouteKit, operations: readonly Operation[]): void {
  const { deps, open, baseUrl } = kit;
  const discovery = (base: string) => ({
    documentation_url: `${base}/docs`,
    openapi_url: `${base}/v1/openapi.json`,
    capabilities_url: `${base}/v1/capabilities`,
    webhook_subscriptions_url: `${base}/v1/webhook-subscriptions`,
  });

  app.get(
    '',
    {
      config: { public: true, documentedResponses: json('Name, version and addresses', bareMeta) },
      schema: { operationId: 'getPublicApiMeta', summary: 'Describe this API', tags: ['Platform'] },
    },
    async (request) => ({ name: 'Rowpress Subscribers', version: 'v1', ...discovery(baseUrl(request)) }),
  );

  app.get(
    '/openapi.json',
    {
      config: { public: true, documentedResponses: json('The document', { type: 'object' }) },
      schema: {
        operationId: 'getPublicApiOpenApiDocument',
        summary: 'Get the OpenAPI 3.1 document of this API',
        tags: ['Platform'],
      },
    },
    async (_request, reply) => reply.header('cache-control', 'no-cache').send(ownPart(app.swagger())),
  );

  app.get(
    '/workspace',
    {
      ...open(['workspace:read']),
      schema: {
        operationId: 'getWorkspace',
        summary: 'Get the workspace of this key',
        tags: ['Workspace'],
        response: { 200: itemOf(workspace) },
      },
    },
    async (request) => {
      const { accountId, accountName } = getPrincipal(request);
      const account = await findAccount(deps.db, accountId);
      if (account === undefined) throw new Error('bug: a key without an account');
      const createdAt = iso(account.created_at);
      return {
        data: {
          id: accountId,
          name: accountName,
          ...none,
          created_at: createdAt,
          updated_at: createdAt,
          self: '/v1/workspace',
        },
      };
    },
  );

  app.get(
    '/capabilities',
    {
      ...open([]),
      config: { ...open([]).config, documentedResponses: json('Conventions, events and operations', data) },
      schema: {
        operationId: 'getPublicApiCapabilities',
        summary: 'List the capabilities of this key',
        tags: ['Platform'],
      },
    },
    async (request) => {
      const { accountId, accountName, keyId, scopes } = getPrincipal(request);
      const held = heldScopes(scopes);
      const base = baseUrl(request);
      return {
        data: {
          version: 'v1',
          workspace: { id: accountId, name: accountName },
          authentication: {
            type: 'bearer',
            workspace_scoped: true,
            scopes_supported: SCOPES,
            supported_credential_types: ['workspace_api_key'],
          },
          credential: { type: 'workspace_api_key', id: keyId, status: 'active', scopes: held },
          discovery: discovery(base),
          conventions: {
            pagination_type: 'cursor',
            pagination_limit_param: 'limit',
            pagination_cursor_param: 'starting_after',
            idempotency_header: 'Idempotency-Key',
            request_id_header: 'x-mailrith-request-id',
          },
          capability_mode: 'effective',
          limitations: [],
          events: {
            subscriptions_url: `${base}/v1/webhook-subscriptions`,
            supported_events: EVENT_TYPES,
            supported_event_patterns: EVENT_PATTERNS,
            signing: SIGNING,
          },
          resources: resourcesFor(operations, held),
        },
      };
    },
  );
}

/** Returns the paths and events of this surface from the server's document, which covers all surfaces. */
function ownPart(document: object): object {
  const { paths = {} } = document as { paths?: Record<string, unknown> };
  const own = Object.entries(paths).filter(
    ([path]) => (path === '/v1' || path.startsWith('/v1/')) && !path.startsWith('/v1/bulkfill'),
  );
  return {
    ...document,
    info: { title: 'Rowpress Subscribers', version: 'v1' },
    paths: Object.fromEntries(own),
    webhooks: subscribersWebhooks,
  };
}
