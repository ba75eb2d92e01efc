import type { FastifyInstance } from 'fastify';
import type { Drain } from './drain.ts';
import type { MetricsRegistry } from './metrics.ts';

/** `undefined`: fine. Otherwise what is wrong, in words for the operator. */
export type Check = string | undefined;

/** Asks the parts that requests need: database, migrations, blob store. Must not throw. */
export type Health = () => Promise<Readonly<Record<string, Check>>>;

export interface OperationsDeps {
  readonly health: Health;
  readonly registry: Pick<MetricsRegistry, 'scrape'>;
}

/**
 * What machines ask: is the process alive, should it get traffic, how is it doing. "Alive" asks nothing of
 * others, so that a database outage does not make a supervisor restart every node.
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
