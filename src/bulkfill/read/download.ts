import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { holdArtifact } from '#engine/retention/hold-artifact.ts';
import { refuse } from '../errors.ts';
import type { BulkfillParts } from '../parts.ts';
import { parseRange } from './byte-range.ts';
import { getActiveDelivery, openArtifact } from './open-delivery.ts';
import { judgePreconditions } from './preconditions.ts';

/** GET and HEAD …/download: sends the ZIP, whole or by range, or redirects to the object store. */
export async function download(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const delivery = await getActiveDelivery(parts, request);
  const fileName = `export-${delivery.job_id}.zip`;
  const location = await parts.handOff.redirect(delivery.parts, fileName).catch((error: unknown) => {
    request.log.error({ err: error, jobId: delivery.job_id }, 'the download hand-off failed');
    throw refuse(
      'EXPORT_DELIVERY_FAILED',
      'The download could not be redirected to the object store. Retry later.',
    );
  });
  if (location !== undefined) return reply.status(302).header('location', location).send();

  const etag = `"${delivery.etag}"`;
  reply.headers({ 'accept-ranges': 'bytes', 'cache-control': 'private, no-store', etag });
  const precondition = judgePreconditions(request.headers, etag);
  if (precondition === 'notModified') return reply.status(304).send();
  if (precondition === 'failed')
    throw refuse('PRECONDITION_FAILED', `If-Match does not match the ETag of this ZIP, ${etag}.`);
  const range = parseRange(rangeAsked(request, etag), delivery.size_bytes);
  if (range.kind === 'unsatisfiable')
    throw refuse(
      'RANGE_NOT_SATISFIABLE',
      `The range starts after the end of the ZIP, which has ${delivery.size_bytes} bytes.`,
      { headers: { 'content-range': `bytes */${delivery.size_bytes}` } },
    );
  reply.headers({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${fileName}"`,
  });
  const { start, end } = range.kind === 'part' ? range : { start: 0, end: delivery.size_bytes };
  if (range.kind === 'part')
    reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${delivery.size_bytes}`);
  reply.header('content-length', end - start);
  if (request.method === 'HEAD') return reply.send();
  const { artifact } = await openArtifact(parts, request, reply, delivery);
  if (artifact.size !== delivery.size_bytes)
    throw new Error(`bug: the artifact of job ${delivery.job_id} has changed its size`);
  return reply.send(streamOf(holdArtifact(parts, delivery.artifact_id, artifact.zip(start, end))));
}

/** `Range` applies only to GET (RFC 9110 section 14.2), and with `If-Range` only to the named file. */
function rangeAsked({ method, headers }: FastifyRequest, etag: string): string | undefined {
  const ifRange = headers['if-range'];
  return method === 'GET' && (ifRange === undefined || ifRange === etag) ? headers.range : undefined;
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
