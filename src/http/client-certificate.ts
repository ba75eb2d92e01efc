import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the SHA-256 thumbprint (lower-case hex) of the client certificate, if its chain was verified against
 * `ROWPRESS_TLS_CLIENT_CA`. A certificate that was not verified proves nothing.
 */
export function clientThumbprint(request: FastifyRequest): string | undefined {
  const { socket } = request;
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { fingerprint256 } = socket.getPeerCertificate();
  return fingerprint256?.replaceAll(':', '').toLowerCase();
}

/** Headers that a proxy adds. A client that sends one itself only loses the right that depends on it. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Reports whether a proxy forwarded the request: then the certificate belongs to the proxy, not to the client. */
export function isForwarded({ headers }: FastifyRequest): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined);
}
