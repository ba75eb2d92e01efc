import { z } from 'zod';
import { itemOf, self, timestamp } from '../contract.ts';

const ID = '0190a3c4-0000-7000-8000-000000000001';
const BASE = 'https://rowpress.example.com';

export const workspace = itemOf(
  z
    .object({
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
    })
    .meta({
      id: 'Workspace',
      description: 'The account of the key',
      examples: [
        {
          id: ID,
          name: 'Acme',
          logo: null,
          address: null,
          city: null,
          state: null,
          postal_code: null,
          country: null,
          time_zone: null,
          created_at: '2026-11-17T09:15:00.000Z',
          updated_at: '2026-11-17T09:15:00.000Z',
          self: '/v1/workspace',
        },
      ],
    }),
);

const discovery = {
  documentation_url: z.string(),
  openapi_url: z.string(),
  capabilities_url: z.string(),
  webhook_subscriptions_url: z.string(),
};
/** How lists, repeated requests and request ids work on every route. */
export const CONVENTIONS = {
  pagination_type: 'cursor',
  pagination_limit_param: 'limit',
  pagination_cursor_param: 'starting_after',
  idempotency_header: 'Idempotency-Key',
  request_id_header: 'x-mailrith-request-id',
};

const discoveryExample = {
  documentation_url: `${BASE}/docs`,
  openapi_url: `${BASE}/v1/openapi.json`,
  capabilities_url: `${BASE}/v1/capabilities`,
  webhook_subscriptions_url: `${BASE}/v1/webhook-subscriptions`,
};
export const apiMeta = z.object({ name: z.string(), version: z.literal('v1'), ...discovery }).meta({
  id: 'ApiMeta',
  description: 'Name, version and addresses',
  examples: [{ name: 'Rowpress Subscribers', version: 'v1', ...discoveryExample }],
});

const texts = z.array(z.string());
export const capabilities = itemOf(
  z
    .object({
      version: z.literal('v1'),
      workspace: z.object({ id: z.string(), name: z.string() }),
      authentication: z.object({
        type: z.string(),
        workspace_scoped: z.boolean(),
        scopes_supported: texts,
        supported_credential_types: texts,
      }),
      credential: z.object({ type: z.string(), id: z.string(), status: z.string(), scopes: texts }),
      discovery: z.object(discovery),
      conventions: z.object({
        pagination_type: z.string(),
        pagination_limit_param: z.string(),
        pagination_cursor_param: z.string(),
        idempotency_header: z.string(),
        request_id_header: z.string(),
      }),
      capability_mode: z.string(),
      limitations: texts,
      events: z.object({
        subscriptions_url: z.string(),
        supported_events: texts,
        supported_event_patterns: texts,
        signing: z.record(z.string(), z.string()),
      }),
      resources: z.array(
        z.object({
          key: z.string(),
          name: z.string(),
          operations: z.array(
            z.object({
              operation_id: z.string(),
              method: z.string(),
              path: z.string(),
              summary: z.string(),
              required_scopes: texts,
            }),
          ),
        }),
      ),
    })
    .meta({
      id: 'ApiCapabilities',
      description: 'Conventions, events, and the operations that the key may call',
      examples: [
        {
          version: 'v1',
          workspace: { id: ID, name: 'Acme' },
          authentication: {
            type: 'bearer',
            workspace_scoped: true,
            scopes_supported: ['tags:read', 'tags:write'],
            supported_credential_types: ['workspace_api_key'],
          },
          credential: { type: 'workspace_api_key', id: 'key_7f3a', status: 'active', scopes: ['tags:read'] },
          discovery: discoveryExample,
          conventions: CONVENTIONS,
          capability_mode: 'effective',
          limitations: [],
          events: {
            subscriptions_url: discoveryExample.webhook_subscriptions_url,
            supported_events: ['subscriber.created'],
            supported_event_patterns: ['subscriber.*'],
            signing: { algorithm: 'hmac-sha256' },
          },
          resources: [
            {
              key: 'tags',
              name: 'Tags',
              operations: [
                {
                  operation_id: 'listTags',
                  method: 'GET',
                  path: '/v1/tags',
                  summary: 'List tags',
                  required_scopes: ['tags:read'],
                },
              ],
            },
          ],
        },
      ],
    }),
);
