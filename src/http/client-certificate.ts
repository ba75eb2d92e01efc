import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';

/**
 * SHA-256 thumbprint (lower-case hex) of the client certificate, if its chain was verified against
 * `ROWPRESS_TLS_CLIENT_CA`. A certificate that was merely shown proves nothing.
 */
export function clientThumbprint(request: FastifyRequest): string | undefined {
  const { socket } = request;
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { fingerprint256 } = socket.getPeerCertificate();
  return fingerprint256?.replaceAll(':', '').toLowerCase();
}
