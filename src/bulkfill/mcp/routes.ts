import type { FastifyInstance } from 'fastify';
import { clientGone } from '#http/client-gone.ts';
import { MAX_JSON_BYTES } from '#http/http-settings.ts';
import type { RouteGroup } from '#http/route-group.ts';
import { ShellRefusal } from '#http/translate-error.ts';
import { ownServerApi } from './own-server-api.ts';

interface McpSettings {
  readonly publicUrl: string | undefined;
  readonly basePath: string;
}

/**
 * POST /mcp: the Streamable HTTP transport of the Model Context Protocol. There are no sessions, so that any node can answer any
 * request; GET and DELETE, which need one, are 405. The protocol is loaded with the first request, because most servers
 * never receive one. It is not part of the OpenAPI document, since its messages are JSON-RPC.
 */
export function mcpRoutes(settings: McpSettings): RouteGroup {
  return {
    prefix: '/mcp',
    plugin: async (app, { guards }) => {
      app.post('/', {
        onRequest: [guards.requireKey('bulkfill'), guards.rateLimit('bulkfill', 'bulkfill.read')],
        bodyLimit: MAX_JSON_BYTES,
        schema: { hide: true },
        handler: async (request, reply) => {
          // A batch could hold any number of calls under one count of the rate limit. The protocol has dropped it.
          if (Array.isArray(request.body))
            throw new ShellRefusal('malformed', 'Send one JSON-RPC message per request.');
          const { answerMessage } = await import('./answer-message.ts');
          const api = ownServerApi(app as unknown as FastifyInstance, request, settings);
          const answer = await answerMessage(request, api, clientGone(reply));
          return reply
            .status(answer.status)
            .headers(Object.fromEntries(answer.headers))
            .send(Buffer.from(await answer.arrayBuffer()));
        },
      });
    },
  };
}
