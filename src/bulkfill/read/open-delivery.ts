import type { FastifyRequest } from 'fastify';
import { refuse } from '../../lib/errors/api-error.ts';
import { type DeliveryRecord, findDelivery } from '../../storage/artifacts/find-delivery.ts';
import { ArtifactReader } from '../artifact/artifact-reader.ts';
import type { BulkfillParts } from '../bulkfill-parts.ts';
import type { ArtifactParts } from '../export-input.ts';
import { isActive } from '../job-envelope.ts';
import { findOwnedJob } from './find-owned-job.ts';

/** The active delivery of the caller's job, or the one 404 that every reason shares. */
export async function getActiveDelivery(
  parts: BulkfillParts,
  request: FastifyRequest,
): Promise<DeliveryRecord & { readonly parts: ArtifactParts }> {
  const job = await findOwnedJob(parts, request);
  const delivery = job && (await findDelivery(parts.db, job.id));
  if (delivery === undefined || !isActive(delivery, parts.clock.now()))
    throw refuse('bulkfill', 'EXPORT_DELIVERY_NOT_FOUND', 'No active delivery is available for this job.');
  return { ...delivery, parts: delivery.parts as ArtifactParts };
}

export function openArtifact(
  parts: BulkfillParts,
  delivery: { readonly parts: ArtifactParts },
): Promise<ArtifactReader> {
  return ArtifactReader.open(parts, delivery.parts);
}
