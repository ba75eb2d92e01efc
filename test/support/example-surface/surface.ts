import { perMinute } from '#engine/limits/limit.ts';
import { standardScheme } from '#engine/webhooks/standard-scheme.ts';
import type { SurfaceSpec } from '#surface.ts';
import { exampleDialect } from './dialect.ts';

/** The smallest surface: one route that adds numbers in a job. */
export const example: SurfaceSpec = {
  name: 'example',
  dialect: exampleDialect,
  keys: {
    prefix: 'exk_',
    scopes: [],
    optionalScopes: [],
    defaultDays: 30,
    maxLive: 2,
    limitedChanges: false,
    partnered: false,
  },
  webhookScheme: standardScheme,
  audit: { writes: { 'POST /sums': 'sum.created' }, reads: {} },
  needs: { run: ['POST /sums'] },
  settings: (config) => ({
    limits: { example: perMinute(100) },
    keyDays: 30,
    webhookRetrySeconds: config.webhookRetrySeconds,
    requestKeySeconds: config.idempotencyWindowSeconds,
  }),
  build: async (parts) => (await import('./build.ts')).buildExample(parts),
};
