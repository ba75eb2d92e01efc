import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MAX_SMALL_JSON_BYTES } from '#http/http-settings.ts';
import { getPrincipal } from '#http/principal.ts';
import type { RouteGroup } from '#http/route-group.ts';
import { getJob } from '#storage/jobs/find-jobs.ts';
import type { BuiltSurface, SurfaceParts } from '#surface.ts';
import { exampleDialect } from './dialect.ts';
import { refuse } from './errors.ts';
import { sumKind } from './kind.ts';

const sumBody = z.strictObject({ numbers: z.array(z.int()).min(1).max(10) });
const sumAnswer = z.object({ sum_id: z.string(), state: z.string() });

export function buildExample(parts: SurfaceParts): BuiltSurface {
  return {
    kinds: [sumKind],
    jobViews: { publicId: (id) => `sum-${id}`, parseId: (text) => /^sum-(.*)$/.exec(text)?.[1] },
    api: exampleRoutes(parts),
  };
}

function exampleRoutes({ engine, database, config }: SurfaceParts): RouteGroup {
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
          const accepted = await engine.accept({
            accountId: getPrincipal(request).accountId,
            kind: sumKind.name,
            input: request.body,
            identity: {
              scope: sumKind.name,
              key: String(request.headers['idempotency-key']),
              windowSeconds: config.idempotencyWindowSeconds,
              bodyDigest: createHash('sha256').update(JSON.stringify(request.body)).digest(),
            },
          });
          if (accepted.outcome === 'mismatch') throw refuse('KEY_REUSED');
          const jobId = accepted.outcome === 'accepted' ? accepted.job.id : idOfReplay(accepted);
          const { id, state } = await getJob(database.db, jobId);
          return reply.status(202).send({ sum_id: `sum-${id}`, state });
        },
      });
    },
  };
}

function idOfReplay(accepted: { outcome: string; record?: { job_id: string | null } }): string {
  const id = accepted.record?.job_id;
  if (typeof id !== 'string') throw new Error(`bug: no job: ${accepted.outcome}`);
  return id;
}
