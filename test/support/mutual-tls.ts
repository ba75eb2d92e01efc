import { randomUUID, X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import type { DatabaseAddress } from '#storage/database.ts';
import { createAuthority, type TestCertificate } from './certificates.ts';
import { type IngestScene, startIngest } from './ingest.ts';

interface Ask {
  readonly port: number;
  readonly ca: string;
  readonly client?: TestCertificate;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Sends a request over TLS, with a client certificate if given. */
export function ask({
  port,
  ca,
  client,
  headers,
  method = 'GET',
  path,
  body,
}: Ask): Promise<{ status: number; body: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port,
      path: `/wms-ingest/v1${path}`,
      method,
      agent: false,
      ca,
      ...client,
      headers: { 'x-correlation-id': randomUUID(), 'content-type': 'application/json', ...headers },
    });
    call.on('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
    });
    call.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export interface MutualTls {
  /** Issues certificates that the server accepts. */
  readonly authority: ReturnType<typeof createAuthority>;
  readonly scene: IngestScene;
  /** Registers a client certificate for the partner of a key, over a connection that presents it. */
  register(client: TestCertificate, key: string): Promise<{ readonly thumbprint: string }>;
}

/** Starts an ingest server with mutual TLS; stopped when the test ends. */
export async function startMutualTls(address?: DatabaseAddress): Promise<MutualTls> {
  const authority = createAuthority();
  const server = authority.issue(['127.0.0.1']);
  const tls = {
    cert: Buffer.from(server.cert),
    key: Buffer.from(server.key),
    clientCa: Buffer.from(authority.ca),
  };
  const scene = await startIngest({ workers: 0, http: { tls }, ...(address !== undefined && { address }) });
  return {
    authority,
    scene,
    register: async (client, key) => {
      const thumbprint = new X509Certificate(client.cert).fingerprint256.replaceAll(':', '').toLowerCase();
      const { status, body } = await ask({
        port: scene.port,
        ca: authority.ca,
        client,
        method: 'POST',
        path: '/certificates',
        headers: { authorization: `Bearer ${key}` },
        body: { thumbprint },
      });
      if (status !== 201) throw new Error(`certificate: ${status} ${JSON.stringify(body)}`);
      return { thumbprint };
    },
  };
}
