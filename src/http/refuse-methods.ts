import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ShellRefusal } from './translate-error.ts';

/**
 * Fastify keeps one router per method, so a known path with another method looks unknown to it. After all
 * surfaces are in, every path gets the missing methods as routes that answer 405 with `Allow`
 * (RFC 9110 section 15.5.6).
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
      // Asked again, because a plugin's root is registered with and without a slash but told only once.
      const free = (method: string) => !app.hasRoute({ url, method: method as HTTPMethods });
      const others = app.supportedMethods.filter((method) => !methods.has(method) && free(method));
      // Already at `onRequest`: what such a request carries is nobody's to read.
      const refuse = async () => {
        throw new ShellRefusal('methodNotAllowed', `This route takes ${allow} only.`, { allow });
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
