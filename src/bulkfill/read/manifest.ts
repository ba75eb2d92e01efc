import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BulkfillParts } from '../bulkfill-parts.ts';
import { getActiveDelivery, openArtifact } from './open-delivery.ts';

const inflate = promisify(inflateRaw);

/** GET …/manifest: manifest.json without the ZIP around it. */
export async function manifest(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const artifact = await openArtifact(parts, await getActiveDelivery(parts, request));
  return reply
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' })
    .send(await inflate(artifact.deflatedManifest));
}
