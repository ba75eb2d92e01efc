import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '#lib/errors/api-error.ts';
import { type ConflictSign, onlyValue } from './dialects/dialect-spec.ts';
import type { Dialects } from './dialects/dialects.ts';
import { findPrincipal } from './principal.ts';

/** A request whose key belongs to a different request. */
export interface RequestConflict {
  readonly surface: string;
  readonly accountId: string;
  readonly key: string;
  readonly requestId: string;
  /** Named parts of the body, if the surface compares them. */
  readonly differsIn: readonly string[];
}

/** Reports each conflict when its response is sent: an error if the surface compares bodies, else a replay with a warning. */
export function watchConflicts(
  app: FastifyInstance,
  dialects: Dialects,
  report: (conflict: RequestConflict) => void,
): void {
  const reportIf = (
    request: FastifyRequest,
    isConflict: (sign: ConflictSign['sign']) => boolean,
    differsIn: readonly string[],
  ) => {
    const { conflict, errors } = dialects.choose(request.url);
    if (conflict === undefined || !isConflict(conflict.sign)) return;
    const accountId = findPrincipal(request)?.accountId;
    const key = onlyValue(request.raw, conflict.keyHeader);
    if (accountId !== undefined && key !== undefined)
      report({ surface: errors.dialect, accountId, key, requestId: request.id, differsIn });
  };
  app.addHook('onError', async (request, _reply, error: unknown) => {
    if (!(error instanceof ApiError)) return;
    const { differs_in: parts } = error.extra.members ?? {};
    const differsIn = Array.isArray(parts) ? parts.map(String) : [];
    reportIf(request, (sign) => 'code' in sign && sign.code === error.code, differsIn);
  });
  app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
    const isWarned = (sign: ConflictSign['sign']) =>
      'warningHeader' in sign && reply.getHeader(sign.warningHeader) !== undefined;
    reportIf(request, isWarned, ['request']);
  });
}
