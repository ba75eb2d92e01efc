import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findRequestKey } from '#storage/request-keys.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';
import { publicId } from '../public-id.ts';
import { scopeOf } from './answer-once.ts';
import type { requestSchema } from './contract.ts';
import { parseCorrelationId } from './correlation-id.ts';
import { identifyCaller } from './partner.ts';

/** `GET /requests/{correlation_id}`: returns the request that holds the correlation id, with its stored response. */
export async function readRequest(
  parts: IngestParts,
  request: FastifyRequest,
  text: string,
): Promise<z.output<typeof requestSchema>> {
  const caller = await identifyCaller(parts, request, 'read');
  const id = parseCorrelationId(text);
  const record =
    id === undefined
      ? undefined
      : await findRequestKey(parts.database.db, caller.accountId, scopeOf(caller), id, parts.clock.now());
  if (record === undefined || record.response_status === null)
    throw refuse('not-found', 'No request with this correlation id is stored.');
  return {
    correlation_id: record.key,
    received_at: record.claimed_at.toISOString(),
    expires_at: record.expires_at.toISOString(),
    job_id: record.job_id === null ? null : publicId('job', record.job_id),
    status: record.response_status,
    response: JSON.parse(record.response_body?.toString() ?? 'null'),
  };
}
