import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Blobs } from '#engine/blobs.ts';
import type { DeliveryRecord } from '#storage/artifacts.ts';

/** Streams an artifact's blobs in order, without assembling them first. */
export async function sendArtifact(
  reply: FastifyReply,
  blobs: Blobs,
  delivery: DeliveryRecord,
  fileName: string,
): Promise<void> {
  const parts = delivery.parts as { readonly blobs: readonly string[] };
  const content = async function* () {
    for (const digest of parts.blobs) yield* blobs.read(digest);
  };
  await reply
    .type(delivery.media_type)
    .header('content-length', delivery.size_bytes)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .header('etag', `"${delivery.etag}"`)
    .send(Readable.from(content(), { objectMode: false }));
}

export function isDeliverable(delivery: DeliveryRecord | undefined, now: Date): delivery is DeliveryRecord {
  return delivery !== undefined && delivery.purged_at === null && delivery.expires_at > now;
}
