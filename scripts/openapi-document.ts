import { loadConfig } from '#config.ts';
import { createMetrics } from '#http/metrics.ts';
import { buildServer } from '#http/server.ts';
import { systemIds } from '#lib/ids.ts';
import { createLogger } from '#lib/logger.ts';
import type { ServedSurface } from '#main/build-surfaces.ts';
import { dialectsOf, keyKindsOf } from '#main/registries.ts';
import { surfaces } from '#main/surfaces.ts';
import type { SurfaceParts, SurfaceSpec } from '#surface.ts';
import { prettyJson } from './pretty-json.ts';

/** Replaces the parts of a surface: routes are described without being called, so any use is a bug. */
export function untouched<T extends object>(known: Partial<T> = {}): T {
  const get = (target: Partial<T>, name: string | symbol) =>
    name in target ? target[name as keyof T] : unusable(String(name));
  return new Proxy(known, { get }) as T;
}

/** Returns a value that can be passed on, but neither called nor read. */
function unusable(name: string): unknown {
  const refuse = () => {
    throw new Error(`bug: describing a route used ${name}`);
  };
  return new Proxy(() => {}, { get: refuse, apply: refuse });
}

const defaults = loadConfig({});
if (!defaults.ok) throw new Error('bug: the default settings are invalid');
export const { config } = defaults;

/** Builds surfaces with nothing behind them: their routes can be described, but not called. */
export function describeSurfaces(specs: readonly SurfaceSpec[]): Promise<ServedSurface[]> {
  const parts = untouched<SurfaceParts>({
    config,
    database: untouched<SurfaceParts['database']>(),
    secret: untouched<SurfaceParts['secret']>(),
    webhooks: untouched<SurfaceParts['webhooks']>({
      settings: { allow: { covers: () => false }, timeoutMs: 0, retrySeconds: {} },
    }),
  });
  return Promise.all(specs.map(async (spec) => ({ spec, built: await spec.build(parts) })));
}

/** Returns the document of `/openapi.json` without starting a server. */
export async function openapiDocument(specs: readonly SurfaceSpec[] = surfaces): Promise<string> {
  const described = await describeSurfaces(specs);
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
    dialects: dialectsOf(specs),
    keyKinds: keyKindsOf(specs),
    surfaces: described.map(({ built }) => built.api),
  });
  try {
    return prettyJson(app.swagger());
  } finally {
    await app.close();
  }
}
