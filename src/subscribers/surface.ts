import { perMinute } from '#engine/limits/limit.ts';
import { standardScheme } from '#engine/webhooks/standard-scheme.ts';
import type { SurfaceSpec } from '#surface.ts';
import { subscribersAudit } from './audit-names.ts';
import { subscribersDialect } from './dialect.ts';
import { subscribersKeys } from './key-kind.ts';
import { subscribersNeeds } from './operator-needs.ts';

/** Subscribers: people, tags and custom fields, imported and exported as CSV. */
export const subscribers: SurfaceSpec = {
  name: 'subscribers',
  dialect: subscribersDialect,
  keys: subscribersKeys,
  webhookScheme: standardScheme,
  audit: subscribersAudit,
  needs: subscribersNeeds,
  providesRows: true,
  settings: (config) => ({
    limits: { subscribers: perMinute(config.subscribersPerMinute) },
    keyDays: config.subscribersKeyDays,
    webhookRetrySeconds: config.webhookRetrySeconds,
    requestKeySeconds: config.idempotencyWindowSeconds,
  }),
  build: async (parts) => (await import('./build.ts')).buildSubscribers(parts),
};
