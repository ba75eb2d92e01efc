import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getPrincipal } from './principal.ts';

/** A request whose key belongs to a different request. */
export interface RequestConflict {
  readonly surface: string;
  readonly accountId: string;
  readonly key: string;
  readonly requestId: string;
  /** Named parts of the body, if the surface compares them. */
  readonly differsIn: readonly string[];
}

type OnConflict = (conflict: RequestConflict) => void;

declare module 'fastify' {
  interface FastifyInstance {
    onRequestConflict?: OnConflict;
  }
}

/** Calls `onConflict` for every conflict that a route of the server reports. */
export function watchConflicts(app: FastifyInstance, onConflict: OnConflict): void {
  app.decorate('onRequestConflict', onConflict);
}

/** Reports that the request's key belongs to a different request. */
export function reportConflict(
  request: FastifyRequest,
  conflict: Pick<RequestConflict, 'surface' | 'key' | 'differsIn'>,
): void {
  const { accountId } = getPrincipal(request);
  request.server.onRequestConflict?.({ ...conflict, accountId, requestId: request.id });
}
