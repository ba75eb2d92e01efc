import type { FastifyReply } from 'fastify';
import type { StoredResponse } from '#storage/request-keys.ts';
import type { Once } from './idempotent-requests.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A response in the bytes that are sent. Its headers are not stored: a replay has only those of its policy. */
export interface WireResponse extends StoredResponse {
  readonly headers?: Readonly<Record<string, string>>;
}

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  return { status, type: JSON_TYPE, body: Buffer.from(JSON.stringify(value)), headers };
}

/** Sends the response of a request, with the headers that mark a replay. */
export function sendOnce(reply: FastifyReply, { result, headers }: Once<WireResponse>): FastifyReply {
  return reply
    .headers({ ...result.headers, ...headers })
    .code(result.status)
    .type(result.type)
    .send(result.body);
}
