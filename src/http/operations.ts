import type { FastifyInstance } from 'fastify';
import type { Drain } from './drain.ts';
import type { MetricsRegistry } from './metrics.ts';

/** `undefined`: healthy. Otherwise the problem, in words for the operator. */
export type Check = string | undefined;

/** Checks the parts that requests need: database, migrations, blob store. Must not throw. */
export type Health = () => Promise<Readonly<Record<string, Check>>>;

export interface OperationsDeps {
  readonly health: Health;
  readonly registry: Pick<MetricsRegistry, 'scrape'>;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics`. `/healthz` depends on no other system, so that a database outage does not make a
 * supervisor restart every node.
 */
export function serveOperations(
  app: FastifyInstance,
  drain: Drain,
  { health, registry }: OperationsDeps,
): void {
  const plain = { schema: { hide: true } };

  app.get('/healthz', plain, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );

  app.get('/readyz', plain, async (_request, reply) => {
    const checks = Object.entries(await health()).map(([name, problem]) => [name, problem ?? 'ok'] as const);
    const ready = !drain.draining && checks.every(([, state]) => state === 'ok');
    const status = drain.draining ? 'draining' : ready ? 'ready' : 'not ready';
    reply.header('cache-control', 'no-store');
    if (!ready) reply.status(503).header('retry-after', '5');
    return reply.send({ status, checks: Object.fromEntries(checks) });
  });

  app.get('/metrics', plain, async (_request, reply) => {
    const { contentType, body } = await registry.scrape();
    return reply.type(contentType).send(body);
  });
}
