import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPrincipal } from '#http/principal.ts';
import { whenClosed } from '#http/when-closed.ts';
import type { Reservation } from '#lib/byte-budget.ts';
import { type DeliveryRecord, findDelivery } from '#storage/artifacts.ts';
import { findBlobSizes } from '#storage/blob-records.ts';
import { ArtifactReader } from '../artifact/artifact-reader.ts';
import { refuse } from '../errors.ts';
import type { ArtifactParts, ExportInput } from '../export-input.ts';
import type { BulkfillParts } from '../parts.ts';
import { isActive } from '../views.ts';
import { type DownloadName, downloadName } from './download-name.ts';
import { findOwnedJob } from './find-owned-job.ts';

export interface ActiveDelivery extends DeliveryRecord {
  readonly parts: ArtifactParts;
  readonly fileName: DownloadName;
}

/** Returns the active delivery of the caller's job. Every reason for having none gives the same 404. */
export async function getActiveDelivery(
  parts: BulkfillParts,
  request: FastifyRequest,
): Promise<ActiveDelivery> {
  const job = await findOwnedJob(parts, request);
  const delivery = job && (await findDelivery(parts.db, job.id));
  if (job === undefined || delivery === undefined || !isActive(delivery, parts.clock.now()))
    throw noActiveDelivery();
  if (job.settled_at === null) throw new Error(`bug: the open job ${job.id} has a delivery`);
  const { name } = job.input as unknown as ExportInput;
  return {
    ...delivery,
    parts: delivery.parts as ArtifactParts,
    fileName: downloadName(name, job.settled_at),
  };
}

export const noActiveDelivery = () =>
  refuse('EXPORT_DELIVERY_NOT_FOUND', 'No active delivery is available for this job.');

/** An index takes about six times its size: as text, as columns and as one object per row. */
const INDEX_FACTOR = 6;
/** A template is read into memory, then copied to a buffer that threads share. */
const TEMPLATE_FACTOR = 2;

export interface OpenedArtifact {
  readonly artifact: ArtifactReader;
  /** Bytes of the memory budget that it uses until the response is closed. */
  readonly reservation: Reservation;
}

export async function openArtifact(
  { db, blobs, templates, budget }: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
  delivery: { readonly parts: ArtifactParts },
): Promise<OpenedArtifact> {
  const { base, index, manifest } = delivery.parts;
  const sizes = await findBlobSizes(db, [base, index, manifest.blob]);
  const sizeOf = (digest: string) => sizes.get(digest) ?? 0;
  // All readers share a template in memory.
  const template = templates.isLoaded(base) ? 0 : TEMPLATE_FACTOR * sizeOf(base);
  const bytes = template + INDEX_FACTOR * sizeOf(index) + sizeOf(manifest.blob);
  const reservation = budget.reserve(getPrincipal(request).accountId, bytes);
  whenClosed(reply, reservation.release);
  return { artifact: await ArtifactReader.open({ blobs, templates }, delivery.parts), reservation };
}
