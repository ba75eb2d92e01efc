import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ByteBudget } from '#lib/byte-budget.ts';
import { parseJson } from '#lib/parse-json.ts';
import { readHeldBody, releaseHeldBodies } from './held-body.ts';
import { ShellRefusal } from './translate-error.ts';

/**
 * Reads JSON bodies. The shell buffers no other type; a surface adds parsers for others (multipart, NDJSON). An empty
 * body counts as none, so that the schema of a route can make it optional.
 */
export function readJsonBodies(app: FastifyInstance, budget: ByteBudget): void {
  releaseHeldBodies(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readHeldBody(request, payload, budget);
    if (bytes.length === 0) return undefined;
    const result = parseJson(bytes);
    if (!result.ok) throw new ShellRefusal('malformed', `The body ${result.reason}.`);
    return result.value;
  });
}
