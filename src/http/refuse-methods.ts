import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ShellRefusal } from './translate-error.ts';

/**
 * Answers 405 with `Allow` (RFC 9110 section 15.5.6) to a known path with another method. Fastify has one router per method and
 * would answer 404, so the returned function adds the missing methods of every path as routes. Call it after all routes.
 */
export function watchMethods(app: FastifyInstance): () => void {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByUrl.set(url, methods);
  });
  return function refuseOtherMethods() {
    for (const [url, methods] of [...methodsByUrl]) {
      const allow = [...methods].sort().join(', ');
      // Checked again: a plugin's root is registered with and without a slash, but the hook runs only once.
      const free = (method: string) => !app.hasRoute({ url, method: method as HTTPMethods });
      const others = app.supportedMethods.filter((method) => !methods.has(method) && free(method));
      // At `onRequest`, so that the body is not read.
      const refuse = async () => {
        throw new ShellRefusal('methodNotAllowed', `This route accepts only ${allow}.`, { allow });
      };
      if (others.length > 0)
        app.route({
          method: others as HTTPMethods[],
          url,
          bodyLimit: 1,
          schema: { hide: true },
          onRequest: refuse,
          handler: refuse,
        });
    }
  };
}
