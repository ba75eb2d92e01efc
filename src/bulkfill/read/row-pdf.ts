import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientGone } from '#http/client-gone.ts';
import { getPrincipal } from '#http/principal.ts';
import type { ApiError } from '#lib/errors/api-error.ts';
import type { RowPdf } from '../artifact/artifact-reader.ts';
import type { CreateParts } from '../create/create-parts.ts';
import { refuse } from '../errors.ts';
import type { BulkfillParts } from '../parts.ts';
import { pagePicture } from '../picture/page-picture.ts';
import { getActiveDelivery, type OpenedArtifact, openArtifact } from './open-delivery.ts';

/** Most that the response of a row's PDF holds in memory: the chunks between the blob and the socket. */
const STREAM_BYTES = 1024 * 1024;
/** The PDF of a row as chunks, joined, as a message and in the pipe to the reader. */
const PICTURE_FACTOR = 4;

/** GET …/rows/{n}.pdf: sends the PDF of one row, the same bytes as in the ZIP. */
export async function rowPdf(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { row, pdf, reservation } = await getRow(parts, request, reply);
  reservation.grow(Math.min(pdf.length, STREAM_BYTES));
  return reply
    .headers({
      'content-type': 'application/pdf',
      'content-length': pdf.length,
      'content-disposition': `inline; filename="row_${row}.pdf"`,
      'cache-control': 'private, no-store',
    })
    .send(Readable.from(pdf.bytes(), { objectMode: false }));
}

/** GET …/rows/{n}.png: sends a page of the PDF as a picture. */
export async function rowPng(
  parts: CreateParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { row, pdf, reservation, encrypted } = await getRow(parts, request, reply);
  if (encrypted) throw nothing(`Row ${row} is encrypted, so it has no picture.`);
  const { page, width } = request.query as { page: number; width: number };
  const turn = { owner: getPrincipal(request).accountId, signal: clientGone(reply) };
  // Reads the PDF only once a reader process is free.
  const picture = await parts.line.run(turn, async (signal) => {
    reservation.grow(PICTURE_FACTOR * pdf.length);
    return pagePicture(await wholeOf(pdf), { page, width }, signal);
  });
  if (picture === undefined) throw nothing(`Row ${row} has no page ${page}.`);
  return reply
    .headers({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="row_${row}_page_${page}.png"`,
      'cache-control': 'private, no-store',
    })
    .send(picture);
}

async function getRow(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ row: string; pdf: RowPdf; encrypted: boolean } & Pick<OpenedArtifact, 'reservation'>> {
  const { row } = request.params as { row: string };
  const delivery = await getActiveDelivery(parts, request);
  const missing = () => nothing(`Row ${row.slice(0, 20)} of this job has no PDF.`);
  if (!/^[1-9]\d{0,6}$/.test(row)) throw missing();
  const { artifact, reservation } = await openArtifact(parts, request, reply, delivery);
  const pdf = artifact.row(Number(row));
  if (pdf === undefined) throw missing();
  return { row, pdf, encrypted: delivery.parts.encrypted === true, reservation };
}

async function wholeOf(pdf: RowPdf): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of pdf.bytes()) pieces.push(piece);
  return Buffer.concat(pieces);
}

const nothing = (message: string): ApiError => refuse('EXPORT_DELIVERY_NOT_FOUND', message);
