import type { FastifyInstance } from 'fastify';
import { parseJson } from '../lib/parse-json.ts';
import { ShellRefusal } from './translate-error.ts';

/**
 * JSON is the only body the shell reads whole; a surface adds what else it takes (multipart, NDJSON).
 * An empty body counts as none, so that a route with an optional body can say so in its schema.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, bytes: Buffer) => {
      if (bytes.length === 0) return undefined;
      const result = parseJson(bytes);
      if (!result.ok) throw new ShellRefusal('malformed', `The body ${result.reason}.`);
      return result.value;
    },
  );
}
