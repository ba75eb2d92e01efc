import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { clientThumbprint, isForwarded } from '#http/client-certificate.ts';
import { jsonResponse } from '#http/idempotency/wire-response.ts';
import { insertCertificate, listCertificates, revokeCertificate } from '#storage/ingest/partners.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';
import type { Write, Written } from './answer-once.ts';
import { certificateBody, type certificateListSchema, type certificateSchema } from './contract.ts';
import { readJsonBody } from './json-body.ts';
import { identifyCaller, requireWholePartner } from './partner.ts';

type Certificate = z.output<typeof certificateSchema>;

async function list(db: Parameters<typeof listCertificates>[0], partnerNo: number) {
  return (await listCertificates(db, partnerNo)).map(
    (row): Certificate => ({
      thumbprint: row.thumbprint.toString('hex'),
      warehouses: row.warehouses,
      created_at: row.created_at.toISOString(),
      revoked_at: row.revoked_at?.toISOString() ?? null,
    }),
  );
}

/** `POST /certificates`: registers a client certificate as a credential of the partner, for all or some warehouses. */
export async function registerCertificate(
  parts: IngestParts,
  request: FastifyRequest,
  write: Write,
): Promise<Written> {
  requireWholePartner(write.caller, 'Certificates');
  const body = await readJsonBody(write, certificateBody);
  const thumbprint = body.thumbprint.replaceAll(':', '').toLowerCase();
  requirePresented(request, thumbprint);
  const { partnerNo } = write.caller;
  const warehouses = body.warehouses ?? null;
  return write.run(async (tx) => {
    const bytes = Buffer.from(thumbprint, 'hex');
    const now = parts.clock.now();
    if (!(await insertCertificate(tx, { thumbprint: bytes, partnerNo, warehouses, now })))
      throw refuse('state-conflict', 'This thumbprint is registered or was registered before.');
    const made = (await list(tx, partnerNo)).find((entry) => entry.thumbprint === thumbprint);
    return jsonResponse(201, made);
  });
}

/**
 * Rejects a thumbprint that is not the connection's own. Otherwise a partner could register the certificate of another
 * partner, which is not secret, and receive that partner's requests.
 */
function requirePresented(request: FastifyRequest, thumbprint: string): void {
  const refusal = (detail: string) => refuse('certificate-not-presented', detail);
  if (isForwarded(request))
    throw refusal(
      'The request came through a proxy, whose connection presents the proxy’s certificate. Send it directly to this server.',
    );
  const presented = clientThumbprint(request);
  if (presented === undefined)
    throw refusal(
      'thumbprint: this connection presents no client certificate that the server’s client authority verifies. Send the request over TLS with the certificate that is to be registered.',
    );
  if (presented !== thumbprint)
    throw refusal(
      `thumbprint must be that of the certificate this connection presents, ${presented}; received ${thumbprint}.`,
    );
}

/** `POST /certificates/{thumbprint}/revoke`: revokes a certificate permanently. */
export async function revokeClientCertificate(
  parts: IngestParts,
  write: Write,
  thumbprint: string,
): Promise<Written> {
  requireWholePartner(write.caller, 'Certificates');
  const { partnerNo } = write.caller;
  const hex = thumbprint.replaceAll(':', '').toLowerCase();
  return write.run(async (tx) => {
    const outcome = /^[0-9a-f]{64}$/.test(hex)
      ? await revokeCertificate(tx, partnerNo, Buffer.from(hex, 'hex'), parts.clock.now())
      : 'unknown';
    if (outcome === 'unknown') throw refuse('not-found', 'Certificate not found.');
    if (outcome === 'already') throw refuse('state-conflict', 'The certificate is already revoked.');
    return jsonResponse(
      200,
      (await list(tx, partnerNo)).find((entry) => entry.thumbprint === hex),
    );
  });
}

/** `GET /certificates`. */
export async function listClientCertificates(
  parts: IngestParts,
  request: FastifyRequest,
): Promise<z.output<typeof certificateListSchema>> {
  const caller = await identifyCaller(parts, request, 'read');
  requireWholePartner(caller, 'Certificates');
  return { data: await list(parts.database.db, caller.partnerNo), next_cursor: null };
}
