import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiError, refuse } from '../../lib/errors/api-error.ts';
import type { BulkfillParts } from '../bulkfill-parts.ts';
import type { CreateParts } from '../create/create-parts.ts';
import { pagePicture } from '../picture/page-picture.ts';
import { getActiveDelivery, openArtifact } from './open-delivery.ts';

/** GET …/rows/{n}.pdf: one row's PDF, the same bytes as in the ZIP. */
export async function rowPdf(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { row, pdf } = await getRow(parts, request);
  return reply
    .headers({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="row_${row}.pdf"`,
      'cache-control': 'private, no-store',
    })
    .send(pdf);
}

/** GET …/rows/{n}.png: a page of it as a picture. */
export async function rowPng(
  parts: CreateParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { row, pdf } = await getRow(parts, request);
  const { page, width } = request.query as { page: number; width: number };
  const picture = await parts.judge.inTurn(() => pagePicture(pdf, { page, width }));
  if (picture === undefined) throw nothing(`Row ${row} has no page ${page}.`);
  return reply
    .headers({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="row_${row}_page_${page}.png"`,
      'cache-control': 'private, no-store',
    })
    .send(picture);
}

async function getRow(parts: BulkfillParts, request: FastifyRequest): Promise<{ row: string; pdf: Buffer }> {
  const { row } = request.params as { row: string };
  const delivery = await getActiveDelivery(parts, request);
  const found = /^[1-9]\d{0,6}$/.test(row)
    ? await (await openArtifact(parts, delivery)).row(Number(row))
    : undefined;
  if (found === undefined) throw nothing(`Row ${row.slice(0, 20)} of this job has no PDF.`);
  return { row, pdf: Buffer.concat([found.base, found.tail]) };
}

const nothing = (message: string): ApiError => refuse('bulkfill', 'EXPORT_DELIVERY_NOT_FOUND', message);
