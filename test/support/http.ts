import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { HttpSettings } from '#http/http-settings.ts';
import { createMetrics } from '#http/metrics.ts';
import type { Authenticate, Principal } from '#http/principal.ts';
import { buildServer, type HttpServer, type ServerDeps } from '#http/server.ts';
import { systemIds } from '#lib/ids.ts';
import { createLogger } from '#lib/logger.ts';
import { noMetrics } from '#lib/metrics.ts';
import { dialects, keyKinds } from './product.ts';

export const testSettings: HttpSettings = {
  basePath: '',
  publicUrl: undefined,
  trustProxy: false,
  tls: undefined,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 50,
};

export const somebody: Principal = {
  accountId: '019a0000-0000-7000-8000-000000000001',
  accountName: 'demo',
  plan: 'unlimited',
  keyId: 'k1',
  scopes: [],
  partnerId: null,
  warehouses: null,
};

/** Accepts one key, `good`, and has one key for each kind of rejection. */
export const testAuthenticate: Authenticate = async (token) => {
  if (token === 'good') return { ok: true, principal: somebody };
  if (token === 'revoked') return { ok: false, refusal: 'keyRevoked' };
  if (token === 'expired') return { ok: false, refusal: 'keyExpired' };
  if (token === 'inactive') return { ok: false, refusal: 'accountInactive' };
  return { ok: false, refusal: 'keyInvalid' };
};

export interface RunningServer extends HttpServer {
  readonly url: string;
  readonly port: number;
}

/** Starts the HTTP shell on a free loopback port, with stubs for the engine's parts. */
export async function startServer(overrides: Partial<ServerDeps> = {}): Promise<RunningServer> {
  const server = await buildServer({
    settings: testSettings,
    dialects,
    keyKinds,
    ids: systemIds,
    log: createLogger({ level: 'silent', pretty: false }),
    metrics: noMetrics,
    authenticate: testAuthenticate,
    registry: createMetrics(),
    health: async () => ({}),
    limits: { take: async () => ({ ok: true }) },
    surfaces: [],
    ...overrides,
  });
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.drain(0));
  return { ...server, url, port: (server.app.server.address() as AddressInfo).port };
}

/** Sends raw bytes on a socket, which a well-behaved client cannot. Resolves with everything received. */
export async function sendRaw(port: number, bytes: string, halfClose = true): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.write(bytes, 'latin1');
  if (halfClose) socket.end();
  await once(socket, 'close');
  return answer;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export function readRaw(answer: string): RawAnswer {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Headers(pairs), body: JSON.parse(body) };
}
