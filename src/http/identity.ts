import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ids } from '#lib/ids.ts';
import type { Identity } from './dialects/dialect-spec.ts';
import type { Dialects } from './dialects/dialects.ts';

const identities = new WeakMap<IncomingMessage, Identity>();

/** Assigns the id of a request before routing, by the dialect of its path. */
export function nameRequest(dialects: Dialects, raw: IncomingMessage, ids: Ids): string {
  const identity = dialects.choose(raw.url ?? '').identify(raw, ids);
  identities.set(raw, identity);
  return identity.id;
}

export function tellRequestId(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(identities.get(request.raw)?.headers ?? {});
}
