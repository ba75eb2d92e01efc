import type { FastifyInstance, RouteOptions } from 'fastify';

const BODYLESS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Makes sure that every route that can take a body says how large it may be. A route without a limit is a bug that stops
 * the start. Returns the check, to be called when all routes are there: plugins set limits for their own routes.
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
