import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '#lib/errors/api-error.ts';
import type { PublicDialect } from '#lib/errors/catalogue.ts';
import { onlyValue } from './dialects/dialect-spec.ts';
import { findPrincipal } from './principal.ts';

/** A request whose key stood for a different one. */
export interface RequestConflict {
  readonly surface: PublicDialect;
  readonly accountId: string;
  readonly key: string;
  readonly requestId: string;
  /** Named parts of the body, where the surface compares them. */
  readonly differsIn: readonly string[];
}

const CONFLICTS: Readonly<Record<string, PublicDialect>> = {
  IDEMPOTENCY_KEY_PAYLOAD_MISMATCH: 'bulkfill',
  idempotency_key_reused: 'subscribers',
};

/** Tells of conflicts as they leave: a 409 of the surfaces that compare bodies, a warning of the one that does not. */
export function watchConflicts(app: FastifyInstance, hear: (conflict: RequestConflict) => void): void {
  const tell = (
    request: FastifyRequest,
    surface: PublicDialect,
    header: string,
    differsIn: readonly string[],
  ) => {
    const accountId = findPrincipal(request)?.accountId;
    const key = onlyValue(request.raw, header);
    if (accountId !== undefined && key !== undefined)
      hear({ surface, accountId, key, requestId: request.id, differsIn });
  };
  app.addHook('onError', async (request, _reply, error: unknown) => {
    const surface = error instanceof ApiError ? CONFLICTS[error.code] : undefined;
    if (surface === undefined) return;
    const { differs_in: parts } = (error as ApiError).extra.members ?? {};
    tell(request, surface, 'idempotency-key', Array.isArray(parts) ? parts.map(String) : []);
  });
  app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
    if (reply.getHeader('x-correlation-warning') !== undefined)
      tell(request, 'ingest', 'x-correlation-id', ['request']);
  });
}
