import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BulkfillParts } from '../parts.ts';
import { getActiveDelivery } from './open-delivery.ts';

/** GET …/manifest: sends manifest.json without the ZIP. */
export async function manifest(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const delivery = await getActiveDelivery(parts, request);
  const { blob, plainLength } = delivery.parts.manifest;
  const inflate = createInflateRaw();
  // A failure destroys the response stream, which ends the response.
  pipeline(parts.blobs.read(blob), inflate, () => undefined);
  return reply
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'content-length': plainLength,
      'cache-control': 'private, no-store',
    })
    .send(inflate);
}
