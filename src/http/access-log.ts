import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#lib/metrics.ts';
import { findPrincipal } from './principal.ts';

/** Probes request these every few seconds; their lines would hide the others. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Logs and measures each response by the pattern of its route: a path may contain a download token, and a query may
 * contain anything.
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
