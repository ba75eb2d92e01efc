import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../lib/errors/api-error.ts';
import type { BulkfillParts } from '../bulkfill-parts.ts';
import { getActiveDelivery, openArtifact } from './open-delivery.ts';

/** GET …/rows/{n}.pdf: one row's PDF, the same bytes as in the ZIP. */
export async function rowPdf(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { row } = request.params as { row: string };
  const delivery = await getActiveDelivery(parts, request);
  const found = /^[1-9]\d{0,6}$/.test(row)
    ? await (await openArtifact(parts, delivery)).row(Number(row))
    : undefined;
  if (found === undefined)
    throw refuse('bulkfill', 'EXPORT_DELIVERY_NOT_FOUND', `Row ${row.slice(0, 20)} of this job has no PDF.`);
  return reply
    .headers({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="row_${row}.pdf"`,
      'cache-control': 'private, no-store',
    })
    .send(Buffer.concat([found.base, found.tail]));
}
