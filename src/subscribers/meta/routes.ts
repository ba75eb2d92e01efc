import type { z } from 'zod';
import type { OpenapiDocument } from '#http/openapi/openapi-objects.ts';
import { partOf } from '#http/openapi/without-unused.ts';
import { descriptionOf } from '#http/openapi/zod-schemas.ts';
import { getPrincipal } from '#http/principal.ts';
import { findAccount } from '#storage/accounts.ts';
import type { RouteKit, SurfaceApp } from '../http/route-kit.ts';
import { heldScopes } from '../http/scopes.ts';
import { SCOPES } from '../key-kind.ts';
import { iso } from '../views.ts';
import { EVENT_PATTERNS, EVENT_TYPES } from '../webhooks/event-types.ts';
import { type Operation, resourcesFor } from './capabilities.ts';
import { apiMeta, CONVENTIONS, capabilities, workspace } from './contract.ts';

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

/** JSON that is sent as it is: a response schema would drop members. */
const sentAs = (schema: z.ZodType) => ({
  200: { description: descriptionOf(schema) ?? '', content: { 'application/json': schema } },
});

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
      config: { public: true, documentedResponses: sentAs(apiMeta) },
      schema: {
        operationId: 'getPublicApiMeta',
        summary: 'Describe this API',
        description:
          'Returns the addresses of the documentation, this document and the main resources. Needs no key.',
        tags: ['Platform'],
      },
    },
    async (request) => ({ name: 'Rowpress Subscribers', version: 'v1', ...discovery(baseUrl(request)) }),
  );

  app.get(
    '/openapi.json',
    {
      config: {
        public: true,
        documentedResponses: {
          200: {
            description: 'The document',
            content: { 'application/json': { type: 'object', examples: [{ openapi: '3.1.0' }] } },
          },
        },
      },
      schema: {
        operationId: 'getPublicApiOpenApiDocument',
        summary: 'Get the OpenAPI 3.1 document of this API',
        description: 'Returns the part of the OpenAPI document that describes Subscribers. Needs no key.',
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
        description: 'Returns the account that the key belongs to.',
        tags: ['Workspace'],
        response: { 200: workspace },
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
      config: { ...open([]).config, documentedResponses: sentAs(capabilities) },
      schema: {
        operationId: 'getPublicApiCapabilities',
        summary: 'List the capabilities of this key',
        description:
          'Returns the conventions of the API, the events, and the operations that the scopes of this key allow.',
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
          conventions: CONVENTIONS,
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
  const covers = (path: string) =>
    (path === '/v1' || path.startsWith('/v1/')) && !path.startsWith('/v1/bulkfill');
  return {
    ...partOf(document as OpenapiDocument, covers, new Set(EVENT_TYPES)),
    info: { title: 'Rowpress Subscribers', version: 'v1' },
  };
}
