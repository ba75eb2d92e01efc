import { z } from 'zod';
import { canonicalDigest } from '#engine/requests/request-identity.ts';
import { MAX_SMALL_JSON_BYTES } from '#http/http-settings.ts';
import { IdempotentRequests } from '#http/idempotency/idempotent-requests.ts';
import { currentState } from '#http/idempotency/policies.ts';
import type { RequiredKeyRule } from '#http/idempotency/request-key.ts';
import type { RouteGroup } from '#http/route-group.ts';
import type { BuiltSurface, SurfaceParts } from '#surface.ts';
import { exampleDialect } from './dialect.ts';
import { refuse } from './errors.ts';
import { sumKind } from './kind.ts';

const sumBody = z.strictObject({ numbers: z.array(z.int()).min(1).max(10) });
const key: RequiredKeyRule = {
  header: 'idempotency-key',
  parse: (text) => text,
  malformed: () => refuse('BAD_REQUEST'),
  missing: () => refuse('BAD_REQUEST'),
};
const sumAnswer = z.object({ sum_id: z.string(), state: z.string() });

export function buildExample(parts: SurfaceParts): BuiltSurface {
  return {
    kinds: [sumKind],
    jobViews: { publicId: (id) => `sum-${id}`, parseId: (text) => /^sum-(.*)$/.exec(text)?.[1] },
    api: exampleRoutes(parts),
  };
}

function exampleRoutes({ engine, database, clock, config }: SurfaceParts): RouteGroup {
  const policy = {
    surface: 'example',
    key,
    windowSeconds: config.idempotencyWindowSeconds,
    unreportedParts: [],
    conflict: () => refuse('KEY_REUSED'),
  };
  const { db } = database;
  const requests = new IdempotentRequests({ engine, db, clock }, currentState(db, policy));
  return {
    prefix: exampleDialect.prefix,
    plugin: async (app, { guards }) => {
      const schema = {
        summary: 'Add numbers',
        tags: ['Example'],
        body: sumBody,
        response: { 202: sumAnswer },
      };
      app.post('/sums', {
        onRequest: [guards.requireKey('example'), guards.rateLimit('example', 'example')],
        bodyLimit: MAX_SMALL_JSON_BYTES,
        schema,
        config: { errors: ['KEY_REUSED'] },
        handler: async (request, reply) => {
          const identified = {
            ...requests.identify(request, sumKind.name),
            body: () => ({ digest: canonicalDigest(request.body) }),
          };
          const accept = () =>
            requests.accept(identified, {
              kind: sumKind.name,
              input: request.body,
              refused: (outcome) => new Error(`bug: a sum was not accepted: ${outcome}`),
            });
          const { result } = await requests.once(identified, accept);
          return reply.status(202).send({ sum_id: `sum-${result.id}`, state: result.state });
        },
      });
    },
  };
}
