import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { clientThumbprint } from '#http/client-certificate.ts';
import { onlyValue } from '#http/dialects/dialect-spec.ts';
import type { Guards } from '#http/guards.ts';
import { findPrincipal, getPrincipal, setPrincipal } from '#http/principal.ts';
import { findCertificateHolder, findOrCreatePartner } from '#storage/ingest/partners.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';

/** The partner and the warehouse that a request acts for. */
export interface Caller {
  readonly accountId: string;
  readonly partnerId: string;
  readonly partnerNo: number;
  /** Null: partner-wide. */
  readonly warehouseId: string | null;
  readonly warehouses: readonly string[] | null;
}

/** Requires a key or, without one, a client certificate that is verified and registered. */
export function requireCredential(parts: IngestParts, guards: Guards) {
  const requireKey = guards.requireKey('ingest');
  return async (request: FastifyRequest): Promise<void> => {
    // An operator is already authenticated; a client certificate must not replace that.
    if (findPrincipal(request) !== undefined || request.headers.authorization !== undefined)
      return requireKey(request);
    const thumbprint = clientThumbprint(request);
    if (thumbprint === undefined) return requireKey(request);
    if (isSelfSigned(request)) throw refuse('unauthenticated', 'A self-signed certificate is not accepted.');
    const holder = await findCertificateHolder(parts.database.db, Buffer.from(thumbprint, 'hex'));
    if (holder === undefined) throw refuse('unauthenticated', 'The client certificate is not registered.');
    if (!holder.account_active) throw refuse('account-inactive');
    setPrincipal(request, {
      accountId: holder.account_id,
      accountName: holder.account_name,
      plan: holder.plan,
      keyId: `certificate:${thumbprint}`,
      scopes: [],
      partnerId: holder.partner_id,
      warehouses: holder.warehouses,
    });
  };
}

/** Returns true for a certificate that is its own authority: an operator added it to the authorities by mistake. */
function isSelfSigned({ socket }: FastifyRequest): boolean {
  if (!(socket instanceof TLSSocket)) return false;
  const certificate = socket.getPeerCertificate(true);
  return certificate.issuerCertificate?.fingerprint256 === certificate.fingerprint256;
}

const partnerNumbers = new WeakMap<IngestParts, Map<string, number>>();
const MAX_REMEMBERED = 10_000;

async function partnerNumber(parts: IngestParts, accountId: string, partnerId: string): Promise<number> {
  const known = partnerNumbers.get(parts) ?? new Map<string, number>();
  partnerNumbers.set(parts, known);
  const key = `${accountId} ${partnerId}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const no = await findOrCreatePartner(parts.database.db, accountId, partnerId, parts.clock.now());
  if (known.size >= MAX_REMEMBERED) known.clear();
  known.set(key, no);
  return no;
}

/** Identifies the caller. A `write` without a warehouse is partner-wide, so a key for some warehouses is rejected. */
export async function identifyCaller(
  parts: IngestParts,
  request: FastifyRequest,
  effect: 'read' | 'write',
): Promise<Caller> {
  const { accountId, accountName, partnerId: named, warehouses } = getPrincipal(request);
  const partnerId = named ?? accountName;
  const warehouseId = readWarehouse(request);
  if (warehouseId !== null && warehouses !== null && !warehouses.includes(warehouseId))
    throw refuse('cross-warehouse-credential', `The credential is not valid for warehouse "${warehouseId}".`);
  if (warehouseId === null && warehouses !== null && effect === 'write')
    throw refuse(
      'cross-warehouse-credential',
      'Without X-Warehouse-Id a write is partner-wide; this credential is limited to some warehouses.',
    );
  const partnerNo = await partnerNumber(parts, accountId, partnerId);
  return { accountId, partnerId, partnerNo, warehouseId, warehouses };
}

/** Rejects a credential for some warehouses: webhooks and certificates belong to the whole partner. */
export function requireWholePartner({ warehouses }: Pick<Caller, 'warehouses'>, what: string): void {
  if (warehouses === null) return;
  throw refuse(
    'cross-warehouse-credential',
    `${what} belong to the whole partner; this credential is limited to some warehouses.`,
  );
}

function readWarehouse(request: FastifyRequest): string | null {
  if (request.headers['x-warehouse-id'] === undefined) return null;
  const id = onlyValue(request.raw, 'x-warehouse-id');
  if (id === undefined || id.length < 1 || id.length > 200)
    throw refuse('malformed-request', 'X-Warehouse-Id must be sent at most once, with 1 to 200 characters.');
  return id;
}
