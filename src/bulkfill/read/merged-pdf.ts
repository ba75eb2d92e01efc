import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { holdArtifact } from '#engine/retention/hold-artifact.ts';
import { getPrincipal } from '#http/principal.ts';
import { whenClosed } from '#http/when-closed.ts';
import { findBlobSizes } from '#storage/blob-records.ts';
import { ArtifactReader } from '../artifact/artifact-reader.ts';
import { refuse } from '../errors.ts';
import type { BulkfillParts } from '../parts.ts';
import { answerRange } from './answer-range.ts';
import { getActiveDelivery } from './open-delivery.ts';

/** The index as text and as objects. */
const INDEX_FACTOR = 4;
/** A template is read into memory, then copied to a buffer that threads share. */
const TEMPLATE_FACTOR = 2;
/** The rows that are placed at once, before and after, and the records of their slice. */
const WINDOW_BYTES = 8 * 1024 * 1024;

/** GET and HEAD …/merged.pdf: sends the PDF of all rows, whole or by range. */
export async function mergedPdf(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const delivery = await getActiveDelivery(parts, request);
  const { base, merged } = delivery.parts;
  if (merged === undefined)
    throw refuse(
      'EXPORT_DELIVERY_NOT_FOUND',
      'This job has no merged PDF: its output is not merged or both, it is a dry run, or all of its rows failed.',
    );
  const { plain, full } = delivery.fileName;
  const range = answerRange(request, reply, {
    what: 'PDF',
    etag: `"${merged.sha256}"`,
    sizeBytes: merged.sizeBytes,
    mediaType: 'application/pdf',
    fileName: { plain: asPdf(plain), full: asPdf(full) },
  });
  if (range === undefined) return reply.send();
  const sizes = await findBlobSizes(parts.db, [base, merged.index]);
  const template = parts.templates.isLoaded(base) ? 0 : TEMPLATE_FACTOR * (sizes.get(base) ?? 0);
  const bytes = template + INDEX_FACTOR * (sizes.get(merged.index) ?? 0) + WINDOW_BYTES;
  whenClosed(reply, parts.budget.reserve(getPrincipal(request).accountId, bytes).release);
  const reader = await ArtifactReader.openMerged(parts, base, merged);
  const chunks = holdArtifact(parts, delivery.artifact_id, reader.bytes(range.start, range.end));
  return reply.send(Readable.from(chunks, { objectMode: false }));
}

const asPdf = (name: string) => name.replace(/\.zip$/, '.pdf');
