import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Layout } from '#fill/package/layout-schema.ts';
import { clientGone } from '#http/client-gone.ts';
import { getPrincipal } from '#http/principal.ts';
import { whenClosed } from '#http/when-closed.ts';
import type { ProjectRecord, StoredFile } from '#storage/projects.ts';
import { storedFile } from '../create/input-file.ts';
import { refuse } from '../errors.ts';
import type { BulkfillParts } from '../parts.ts';
import { pagePicture, UndrawnPage } from '../picture/page-picture.ts';
import { answerRange } from '../read/answer-range.ts';
import { contentDisposition, fileNamed } from '../read/download-name.ts';
import { judgePreconditions } from '../read/preconditions.ts';
import { getQueriedVersion } from './find-owned-project.ts';
import type { ProjectParts } from './project-parts.ts';
import { rowSchema, sampleCsv } from './row-schema.ts';

/** The chunks between the blob and the socket. */
const STREAM_BYTES = 1024 * 1024;
/** The PDF as chunks, joined, as a message and in the pipe to the reader. */
const PICTURE_FACTOR = 4;

/** GET …/pdf: sends the source PDF as it was uploaded. */
export async function sendPdf(parts: BulkfillParts, request: FastifyRequest, reply: FastifyReply) {
  const project = await getQueriedVersion(parts, request);
  const kind = { what: 'PDF', mediaType: 'application/pdf', ending: '.pdf' };
  return sendFile(parts, request, reply, project, project.pdf, kind);
}

/** GET …/package: sends the sealed package. */
export async function sendPackage(parts: BulkfillParts, request: FastifyRequest, reply: FastifyReply) {
  const project = await getQueriedVersion(parts, request);
  const kind = { what: 'package', mediaType: 'application/octet-stream', ending: '.doqlo' };
  return sendFile(parts, request, reply, project, project.package, kind);
}

function sendFile(
  { blobs, budget }: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { accountId, name }: ProjectRecord,
  { blob, sha256, sizeBytes }: StoredFile,
  kind: { readonly what: string; readonly mediaType: string; readonly ending: string },
): FastifyReply {
  const fileName = fileNamed(name, kind.ending);
  const range = answerRange(request, reply, { ...kind, etag: `"${sha256}"`, sizeBytes, fileName });
  if (range === undefined) return reply.send();
  const held = budget.reserve(accountId, Math.min(range.end - range.start, STREAM_BYTES));
  whenClosed(reply, held.release);
  return reply.send(Readable.from(blobs.read(blob, range), { objectMode: false }));
}

/** GET …/row-schema: sends the JSON Schema of a row. */
export async function sendRowSchema(parts: ProjectParts, request: FastifyRequest, reply: FastifyReply) {
  const { project, layout } = await openLayout(parts, request, reply);
  const schema = rowSchema(layout, { title: project.name, maxCellChars: parts.settings.maxCellChars });
  return reply.type('application/schema+json').send(JSON.stringify(schema));
}

/** GET …/sample.csv: sends a CSV with the labels and one example row. */
export async function sendSample(parts: ProjectParts, request: FastifyRequest, reply: FastifyReply) {
  const { project, layout } = await openLayout(parts, request, reply);
  return reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': contentDisposition(fileNamed(project.name, '.csv')),
    })
    .send(sampleCsv(layout));
}

async function openLayout(
  parts: ProjectParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly project: ProjectRecord; readonly layout: Layout }> {
  const project = await getQueriedVersion(parts, request);
  const turn = { owner: project.accountId, signal: clientGone(reply) };
  const { layout } = await parts.judge.open(turn, storedFile(parts.blobs, project.package));
  return { project, layout };
}

/** GET …/page.png: sends a page of the source PDF as a picture. */
export async function sendPicture(
  parts: ProjectParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { pdf } = await getQueriedVersion(parts, request);
  const { page, width } = request.query as { page: number; width: number };
  const etag = `"${createHash('sha256').update(`${pdf.sha256} ${page} ${width}`).digest('hex')}"`;
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  if (judgePreconditions(request.headers, etag) === 'notModified') return reply.status(304).send();
  const turn = { owner: getPrincipal(request).accountId, signal: clientGone(reply) };
  // Reads the PDF only once a reader process is free.
  const picture = await parts.line.run(turn, (signal) =>
    parts.budget.run(turn.owner, PICTURE_FACTOR * pdf.sizeBytes, async () =>
      pagePicture(await parts.blobs.readAll(pdf.blob), { page, width }, signal).catch((error: unknown) => {
        throw error instanceof UndrawnPage
          ? refuse('PDF_INVALID', `Page ${page} of the PDF cannot be drawn.`)
          : error;
      }),
    ),
  );
  if (picture === undefined) throw refuse('PROJECT_NOT_FOUND', `The PDF of the project has no page ${page}.`);
  return reply
    .headers({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="page_${page}.png"`,
    })
    .send(picture);
}
