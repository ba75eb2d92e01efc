import { perMinute } from '#engine/limits/limit.ts';
import type { SurfaceSpec } from '#surface.ts';
import { ingestAudit } from './audit-names.ts';
import { ingestDialect } from './dialect.ts';
import { ingestKeys } from './key-kind.ts';
import { ingestNeeds } from './operator-needs.ts';
import { ingestScheme } from './webhook-scheme.ts';

/** Ingest: partners send versioned items, one at a time or in bulk; items with missing references wait in quarantine. */
export const ingest: SurfaceSpec = {
  name: 'ingest',
  dialect: ingestDialect,
  keys: ingestKeys,
  webhookScheme: ingestScheme,
  audit: ingestAudit,
  needs: ingestNeeds,
  providesRows: true,
  settings: (config) => ({
    limits: { ingest: perMinute(config.ingestPerMinute) },
    keyDays: config.ingestKeyDays,
    webhookRetrySeconds: config.ingestWebhookRetrySeconds,
    requestKeySeconds: config.correlationWindowSeconds,
  }),
  build: async (parts) => (await import('./build.ts')).buildIngest(parts),
};
