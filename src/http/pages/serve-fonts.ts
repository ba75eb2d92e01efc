import { basename, dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ShellRefusal } from '../translate-error.ts';

/**
 * Serves the server's font files, named by their ids, so that the editor draws with the same fonts. `list.json` names
 * the installed ones. Needs the `sendFile` of the web app.
 */
export function serveFonts(app: FastifyInstance, files: ReadonlyMap<string, string>): void {
  const hidden = { schema: { hide: true } };
  app.get('/fonts/list.json', hidden, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send([...files.keys()]),
  );
  app.get('/fonts/*', hidden, async (request, reply) => {
    const file = files.get((request.params as { '*': string })['*']);
    if (file === undefined) throw new ShellRefusal('routeNotFound', 'Nothing exists at this path.');
    return reply.header('cache-control', 'no-cache').sendFile(basename(file), dirname(file));
  });
}
