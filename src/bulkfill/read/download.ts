import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { holdArtifact } from '#engine/retention/hold-artifact.ts';
import { refuse } from '../errors.ts';
import type { BulkfillParts } from '../parts.ts';
import { answerRange } from './answer-range.ts';
import { type ActiveDelivery, getActiveDelivery, noActiveDelivery, openArtifact } from './open-delivery.ts';

/** GET and HEAD …/download: sends the ZIP, whole or by range, or redirects to the object store. */
export async function download(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const delivery = await getActiveDelivery(parts, request);
  const isCloud = parts.handOff.modeOf(delivery.parts) === 'cloud';
  if (isCloud && request.method === 'GET') return redirect(parts, request, reply, delivery);

  const range = answerRange(request, reply, {
    what: 'ZIP',
    // In cloud mode the tag is that of the store, so that a client can use it in the request that it is redirected to.
    etag: (isCloud && delivery.parts.object?.etag) || `"${delivery.etag}"`,
    sizeBytes: delivery.size_bytes,
    mediaType: 'application/zip',
    fileName: delivery.fileName,
  });
  if (range === undefined) return reply.send();
  const { artifact } = await openArtifact(parts, request, reply, delivery);
  if (artifact.size !== delivery.size_bytes)
    throw new Error(`bug: the artifact of job ${delivery.job_id} has changed its size`);
  return reply.send(
    streamOf(holdArtifact(parts, delivery.artifact_id, artifact.zip(range.start, range.end))),
  );
}

/** Redirects to a link of the object store. The link grants access, so nobody may cache the response. */
async function redirect(
  { handOff }: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
  delivery: ActiveDelivery,
): Promise<FastifyReply> {
  const location = await handOff.redirect(delivery).catch((error: unknown) => {
    request.log.error({ err: error, jobId: delivery.job_id }, 'the download hand-off failed');
    throw refuse(
      'EXPORT_DELIVERY_FAILED',
      'The download could not be redirected to the object store. Retry later.',
    );
  });
  if (location === 'expired') throw noActiveDelivery();
  return reply.status(302).headers({ location, 'cache-control': 'private, no-store' }).send();
}

/** Streams one batch at a time. If the client disconnects, the generator ends too. */
function streamOf(batches: AsyncGenerator<readonly Uint8Array[]>): Readable {
  return new Readable({
    highWaterMark: 1 << 20,
    read() {
      batches.next().then(
        ({ done, value }) => {
          if (done === true) this.push(null);
          else for (const piece of value) this.push(piece);
        },
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      batches.return(undefined).then(
        () => callback(error),
        () => callback(error),
      );
    },
  });
}
