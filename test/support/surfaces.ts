import { z } from 'zod';
import { MAX_JSON_BYTES } from '#http/http-settings.ts';
import type { SurfaceContext, SurfaceSpec } from '#http/surface.ts';
import type { Dialect, PublicDialect } from '#lib/errors/catalogue.ts';

const prefixes: Record<Dialect, string> = {
  bulkfill: '/v1/bulkfill',
  subscribers: '/v1',
  ingest: '/wms-ingest/v1',
  console: '/operator/v1',
};

export const limitOf = { bulkfill: 'bulkfill.read', subscribers: 'subscribers', ingest: 'ingest' } as const;
export const allDialects = Object.keys(prefixes) as Dialect[];
/** Those whose routes are entered with a key. */
export const keyedDialects = Object.keys(limitOf) as PublicDialect[];
export const prefixOf = (dialect: Dialect) => prefixes[dialect];

/** A small surface of each dialect with one route of every sort the shell has to serve. */
export function exampleSurface(
  dialect: Dialect,
  behaviour: { throws?: () => unknown; waits?: (context: SurfaceContext) => Promise<unknown> } = {},
): SurfaceSpec {
  return {
    dialect,
    prefix: prefixes[dialect],
    plugin: async (app, context) => {
      const { guards } = context;
      app.get('/things/:id', async (request) => ({ id: (request.params as { id: string }).id }));
      app.post(
        '/things',
        {
          bodyLimit: MAX_JSON_BYTES,
          schema: { body: z.object({ name: z.string().max(3), tags: z.array(z.string()).optional() }) },
        },
        async (request) => request.body,
      );
      app.get('/throws', async () => {
        throw behaviour.throws?.();
      });
      app.get('/waits', async () => behaviour.waits?.(context));
      if (dialect === 'console') return;
      app.route({
        method: ['GET', 'POST'],
        url: '/guarded',
        bodyLimit: MAX_JSON_BYTES,
        onRequest: [guards.requireKey(dialect), guards.rateLimit(dialect, limitOf[dialect])],
        handler: async () => ({ ok: true }),
      });
    },
  };
}
