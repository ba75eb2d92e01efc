import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#lib/metrics.ts';
import { findPrincipal } from './principal.ts';

/** Asked every few seconds by machines; their lines would bury the others. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * One line and one observation per answered request. Named by the route's pattern: a path may hold a
 * download token, a query anything.
 */
export function logRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const status = reply.statusCode;
    const durationMs = Math.round(reply.elapsedTime);
    const labels = { method, route, status: String(status) };
    metrics.observe('rowpress_http_request_duration_seconds', labels, reply.elapsedTime / 1000);
    const principal = findPrincipal(request);
    const who = principal && { account: principal.accountName, keyId: principal.keyId };
    const level = QUIET.has(route) ? 'debug' : 'info';
    request.log[level]({ method, route, status, durationMs, ...who }, 'request');
  });
}
