import type { CreateParts } from '#bulkfill/create/create-parts.ts';
import { bulkfillSurface } from '#bulkfill/routes.ts';
import { schemaSurface } from '#bulkfill/schema-route.ts';
import { loadConfig } from '#config.ts';
import { workbookLimits } from '#fill/node/xlsx/workbook-limits.ts';
import { createMetrics } from '#http/metrics.ts';
import { buildServer } from '#http/server.ts';
import type { SurfaceSpec } from '#http/surface.ts';
import type { IngestParts } from '#ingest/ingest-parts.ts';
import { ingestSurface } from '#ingest/routes.ts';
import { systemIds } from '#lib/ids.ts';
import { createLogger } from '#lib/logger.ts';
import { subscribersSurface } from '#subscribers/surface.ts';
import type { SurfaceDeps } from '#subscribers/surface-deps.ts';

/** Replaces what a surface works with: routes are described without being called, so any use is a mistake. */
export function untouched<T extends object>(known: Partial<T> = {}): T {
  const get = (target: Partial<T>, name: string | symbol) =>
    name in target ? target[name as keyof T] : unusable(String(name));
  return new Proxy(known, { get }) as T;
}

/** May be picked up and handed on, but neither called nor looked into. */
function unusable(name: string): unknown {
  const refuse = () => {
    throw new Error(`bug: describing a route used ${name}`);
  };
  return new Proxy(() => {}, { get: refuse, apply: refuse });
}

const defaults = loadConfig({});
if (!defaults.ok) throw new Error('bug: the default settings are bad');
export const { config } = defaults;
const people = { ...config, webhookAllow: { covers: () => false } };

const bulkfill = {
  ...config,
  cooldowns: { failedJobs: 0, ratioJobs: 0 },
  workbooks: workbookLimits(config),
};
const ingest = { ...config, autoRedrive: config.ingestAutoRedrive, urlBase: '' };

/** Every surface of the product, as `main.ts` registers them. */
export const surfaces: readonly SurfaceSpec[] = [
  bulkfillSurface(untouched<CreateParts>({ settings: bulkfill })),
  schemaSurface,
  subscribersSurface(untouched<SurfaceDeps>({ settings: people })),
  ingestSurface(untouched<IngestParts>({ settings: ingest })),
];

/** The document that `/openapi.json` serves, without starting anything. */
export async function openapiDocument(): Promise<string> {
  const registry = createMetrics();
  const { app } = await buildServer({
    settings: {
      basePath: '',
      publicUrl: undefined,
      trustProxy: false,
      tls: undefined,
      requestTimeoutMs: 30_000,
      timeoutCheckMs: 30_000,
    },
    ids: systemIds,
    log: createLogger({ level: 'silent', pretty: false }),
    metrics: registry.metrics,
    registry,
    health: async () => ({}),
    authenticate: async () => ({ ok: false, refusal: 'keyInvalid' }),
    limits: { take: async () => ({ ok: true }) },
    surfaces,
  });
  try {
    return `${JSON.stringify(app.swagger(), null, 2)}\n`;
  } finally {
    await app.close();
  }
}
