import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { FastifyRequest } from 'fastify';
import { WorkAbandoned } from '#lib/fair-turnstile.ts';
import type { Api } from './api.ts';
import { createMcpServer } from './mcp-server.ts';

/** Answers one JSON-RPC message with a server that lives as long as the request. */
export async function answerMessage(request: FastifyRequest, api: Api, gone: AbortSignal): Promise<Response> {
  const server = createMcpServer(api, (err) => request.log.error({ err }, 'tool failed'));
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    // Pages of other origins have no key, but the protocol requires the check.
    enableDnsRebindingProtection: true,
    allowedOrigins: [new URL(api.baseUrl).origin],
  });
  // The types of the SDK are not written for exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  const message = new Request(`${api.baseUrl}/mcp`, { method: 'POST', headers });
  const { promise: abandoned, reject } = Promise.withResolvers<never>();
  const abandon = () => reject(new WorkAbandoned());
  gone.addEventListener('abort', abandon, { once: true });
  try {
    return await Promise.race([
      transport.handleRequest(message, { parsedBody: request.body ?? null }),
      abandoned,
    ]);
  } finally {
    gone.removeEventListener('abort', abandon);
    // Aborts a call in progress, whose requests then end too.
    await server.close();
  }
}
