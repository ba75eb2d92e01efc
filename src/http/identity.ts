import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ids } from '#lib/ids.ts';
import { chooseDialect } from './dialects/choose-dialect.ts';
import type { Identity } from './dialects/dialect-spec.ts';

const identities = new WeakMap<IncomingMessage, Identity>();

/** Names a request before routing, in the way of the dialect its path belongs to. */
export function nameRequest(raw: IncomingMessage, ids: Ids): string {
  const identity = chooseDialect(raw.url ?? '').identify(raw, ids);
  identities.set(raw, identity);
  return identity.id;
}

export function tellRequestId(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(identities.get(request.raw)?.headers ?? {});
}
