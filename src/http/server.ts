import { Readable } from 'node:stream';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { ByteBudget } from '#lib/byte-budget.ts';
import { inForeground } from '#lib/foreground.ts';
import type { Ids } from '#lib/ids.ts';
import type { Log } from '#lib/logger.ts';
import { logRequests } from './access-log.ts';
import { watchBodyLimits } from './body-limits.ts';
import { createClientErrorHandler, rememberSocket } from './client-errors.ts';
import { capConnections } from './connection-cap.ts';
import { Drain } from './drain.ts';
import { FailedKeys } from './failed-keys.ts';
import { createGuards, type GuardDeps } from './guards.ts';
import {
  HEADERS_TIMEOUT_MS,
  type HttpSettings,
  IDLE_SOCKET_MS,
  KEEP_ALIVE_MS,
  MAX_HEADER_BYTES,
  MAX_JSON_BYTES,
  SLOW_BODY_MS,
  type TlsFiles,
} from './http-settings.ts';
import { nameRequest, tellRequestId } from './identity.ts';
import { readJsonBodies } from './json-body.ts';
import { collectOpenapi, serveOpenapi } from './openapi/serve-openapi.ts';
import { type OperationsDeps, serveOperations } from './operations.ts';
import { servePages, type WebFiles } from './pages/serve-pages.ts';
import { watchMethods } from './refuse-methods.ts';
import { refuseAmbiguousRequest, refuseNul } from './refuse-requests.ts';
import type { RouteGroup } from './route-group.ts';
import { createErrorHandler } from './send-error.ts';
import { SlowBodies } from './slow-bodies.ts';
import { ShellRefusal } from './translate-error.ts';
import { trustedProxies } from './trusted-proxies.ts';
import { type RequestConflict, watchConflicts } from './watch-conflicts.ts';

export interface ServerDeps extends GuardDeps, OperationsDeps {
  readonly settings: HttpSettings;
  readonly ids: Ids;
  readonly log: Log;
  readonly surfaces: readonly RouteGroup[];
  /** Memory for request bodies; without it they are not counted. */
  readonly budget?: ByteBudget;
  /** Called for each request whose key belongs to a different one. */
  readonly onConflict?: (conflict: RequestConflict) => void;
  /** The web app; without it, `/` is a small page about the server. */
  readonly web?: WebFiles;
}

export interface HttpServer {
  readonly app: FastifyInstance;
  /** Whether the web app is built and served. */
  readonly hasWebApp: boolean;
  /** Stops accepting, waits for requests in progress, and closes the remaining connections at the deadline. */
  drain(deadlineMs: number): Promise<void>;
}

/**
 * Builds the HTTP shell: everything that is the same for all surfaces. Its dependencies are passed in, so that it can be tested
 * without a database.
 */
export async function buildServer(deps: ServerDeps): Promise<HttpServer> {
  const { settings, ids, dialects } = deps;
  const drain = new Drain();
  const sendError = createErrorHandler(dialects, settings.publicUrl);
  const trusts = trustedProxies(settings.trustProxy);
  const app = Fastify({
    ...listenerOptions(deps),
    trustProxy: settings.trustProxy !== false && trusts,
    loggerInstance: deps.log,
    genReqId: (raw) => nameRequest(dialects, raw, ids),
    rewriteUrl: ({ url = '/' }) => withoutBasePath(url, settings.basePath),
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: createClientErrorHandler({ dialects, ids, publicUrl: settings.publicUrl }),
  } as FastifyServerOptions) as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(refuseUnknownPath);
  readJsonBodies(app, deps.budget ?? new ByteBudget(Number.MAX_SAFE_INTEGER));
  // Before the hooks that reject requests, so that errors carry these headers too.
  await app.register(helmet, securityHeaders(settings));

  // Twice, because reading a body ends in the context of its socket.
  app.addHook('onRequest', (_request, _reply, done) => inForeground(done));
  app.addHook('preHandler', (_request, _reply, done) => inForeground(done));
  const slowBodies = new SlowBodies(app.server, settings.slowBodyMs ?? SLOW_BODY_MS);
  app.addHook('onRequest', async (request, reply) => {
    rememberSocket(request, reply);
    tellRequestId(request, reply);
    slowBodies.watch(request, reply);
    refuseAmbiguousRequest(request.raw);
    // Not only in the handler, which runs after the body was read.
    if (request.is404) refuseUnknownPath();
    refuseNul(request.url);
  });
  app.addHook('onResponse', async (request) => slowBodies.ended(request));
  app.addHook('onClose', async () => slowBodies.stop());

  app.addHook('onSend', async (request, reply, payload) => {
    if (drain.draining) reply.header('connection', 'close');
    // Responses contain secrets, personal data or a momentary state; a route that allows caching sets the header
    // itself.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    // Fastify would read a stream to its end to answer HEAD; an event stream lasts as long as its job.
    if (request.method === 'HEAD' && payload instanceof Readable) payload.destroy();
    return payload;
  });

  logRequests(app, deps.metrics);
  if (deps.onConflict !== undefined) watchConflicts(app, deps.onConflict);
  await collectOpenapi(app, dialects, deps.surfaces);

  const requireBodyLimits = watchBodyLimits(app);
  const refuseOtherMethods = watchMethods(app);
  serveOperations(app, drain, deps);
  const hasWebApp = await servePages(app, dialects, settings.basePath, deps.web);
  serveOpenapi(app, settings.basePath);
  const failedKeys = new FailedKeys({ ...deps, perMinute: settings.failedKeysPerMinute ?? 0 });
  const context = { guards: createGuards(deps, failedKeys), shutdown: drain.signal };
  for (const { plugin, prefix } of deps.surfaces) await app.register(plugin, { ...context, prefix });
  refuseOtherMethods();
  await app.ready();
  requireBodyLimits();
  capConnections(app.server, { max: settings.connectionsPerAddress ?? 0, trusts });
  // An unknown expectation may be ignored (RFC 9110 section 10.1.1); Node.js would answer without our headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return { app, hasWebApp, drain: (deadlineMs) => drainServer(app, drain, deadlineMs) };
}

function listenerOptions({ settings }: ServerDeps): object {
  const parser = {
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node.js would reject it itself, without envelope and request id.
    requireHostHeader: false,
    // At most the time of the request, or Node.js swaps the two.
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, settings.requestTimeoutMs),
    connectionsCheckingInterval: settings.timeoutCheckMs,
  };
  return {
    ...(settings.tls === undefined
      ? { http: parser }
      : { https: { ...parser, ...tlsOptions(settings.tls) } }),
    requestTimeout: settings.requestTimeoutMs,
    connectionTimeout: IDLE_SOCKET_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    bodyLimit: MAX_JSON_BYTES,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    return503OnClosing: false,
    // Ids of any length reach their route, which has the right error code for them.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
  };
}

/** Headers for responses that are not pages: they must not run, be framed or be sniffed. Pages set their own. */
function securityHeaders({ tls, publicUrl }: HttpSettings): FastifyHelmetOptions {
  const secure = tls !== undefined || publicUrl?.startsWith('https:') === true;
  const directives = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] };
  return {
    contentSecurityPolicy: { useDefaults: false, directives },
    frameguard: { action: 'deny' },
    hsts: secure && { includeSubDomains: false },
  };
}

/**
 * A client certificate is requested but optional, so that clients with a key can use the same port. A route trusts one only if its
 * chain was verified (`socket.authorized`).
 */
function tlsOptions({ cert, key, clientCa }: TlsFiles): object {
  const mutual = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false };
  return { cert, key, minVersion: 'TLSv1.2', ...mutual };
}

function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}

function refuseUnknownPath(): never {
  throw new ShellRefusal('routeNotFound', 'Nothing exists at this path.');
}

async function drainServer(app: FastifyInstance, drain: Drain, deadlineMs: number): Promise<void> {
  drain.begin();
  const closed = app.close();
  // A keep-alive connection becomes idle only after its last response was sent.
  const reaper = setInterval(() => app.server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => app.server.closeAllConnections(), deadlineMs);
  await closed.finally(() => {
    clearInterval(reaper);
    clearTimeout(deadline);
  });
}
