import { z } from 'zod';
import { MAX_JSON_BYTES } from '#http/http-settings.ts';
import type { RouteContext, RouteGroup } from '#http/route-group.ts';
import { dialects, keyKinds } from './product.ts';

export const limitOf = (dialect: string) => `${dialect}.read`;
export const allDialects = dialects.all.map(({ errors }) => errors.dialect);
/** The dialects of the public contracts, whose routes need a key. */
export const keyedDialects = keyKinds.surfaces;
export const prefixOf = (dialect: string) => dialects.get(dialect).prefix;

/** Routes of every kind that the shell serves, under the prefix of a dialect. */
export function exampleSurface(
  dialect: string,
  behaviour: { throws?: () => unknown; waits?: (context: RouteContext) => Promise<unknown> } = {},
): RouteGroup {
  return {
    prefix: prefixOf(dialect),
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
      if (!keyedDialects.includes(dialect)) return;
      app.route({
        method: ['GET', 'POST'],
        url: '/guarded',
        bodyLimit: MAX_JSON_BYTES,
        onRequest: [guards.requireKey(dialect), guards.rateLimit(dialect, limitOf(dialect))],
        handler: async () => ({ ok: true }),
      });
    },
  };
}
