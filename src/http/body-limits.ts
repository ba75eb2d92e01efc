import type { FastifyInstance, RouteOptions } from 'fastify';

const BODYLESS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Requires a body limit for every route that can have a body. A route without one is a bug that stops the start. Call the returned
 * check after all routes are registered: plugins set limits for their own routes.
 */
export function watchBodyLimits(app: FastifyInstance): () => void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  return function requireBodyLimits() {
    const unlimited = routes.filter(
      ({ method, bodyLimit }) =>
        bodyLimit === undefined && [method].flat().some((name) => !BODYLESS.has(name)),
    );
    const names = unlimited.map(({ method, url }) => `${[method].flat().join('|')} ${url}`);
    if (names.length > 0) throw new Error(`bug: no bodyLimit for ${names.join(', ')}`);
  };
}
