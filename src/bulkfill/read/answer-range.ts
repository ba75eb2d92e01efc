import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../errors.ts';
import { parseRange } from './byte-range.ts';
import { contentDisposition, type DownloadName } from './download-name.ts';
import { judgePreconditions } from './preconditions.ts';

/** A file that is served whole or by range. */
export interface ServedFile {
  /** Its name in error messages. */
  readonly what: string;
  readonly etag: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
  readonly fileName: DownloadName;
}

/**
 * Checks the preconditions and the range of a request, and sets status and headers. Returns the bytes to send, or
 * undefined if the response has no body (304, HEAD).
 */
export function answerRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { what, etag, sizeBytes, mediaType, fileName }: ServedFile,
): { readonly start: number; readonly end: number } | undefined {
  reply.headers({ 'accept-ranges': 'bytes', 'cache-control': 'private, no-store', etag });
  const precondition = judgePreconditions(request.headers, etag);
  if (precondition === 'notModified') {
    reply.status(304);
    return undefined;
  }
  if (precondition === 'failed')
    throw refuse('PRECONDITION_FAILED', `If-Match does not match the ETag of this ${what}, ${etag}.`);
  const range = parseRange(rangeAsked(request, etag), sizeBytes);
  if (range.kind === 'unsatisfiable')
    throw refuse(
      'RANGE_NOT_SATISFIABLE',
      `The range starts after the end of the ${what}, which has ${sizeBytes} bytes.`,
      { headers: { 'content-range': `bytes */${sizeBytes}` } },
    );
  reply.headers({ 'content-type': mediaType, 'content-disposition': contentDisposition(fileName) });
  const { start, end } = range.kind === 'part' ? range : { start: 0, end: sizeBytes };
  if (range.kind === 'part')
    reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`);
  reply.header('content-length', end - start);
  return request.method === 'HEAD' ? undefined : { start, end };
}

/** `Range` applies only to GET (RFC 9110 section 14.2), and with `If-Range` only to the named file. */
function rangeAsked({ method, headers }: FastifyRequest, etag: string): string | undefined {
  const ifRange = headers['if-range'];
  return method === 'GET' && (ifRange === undefined || ifRange === etag) ? headers.range : undefined;
}
