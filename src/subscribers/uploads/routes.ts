import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { rolesWith } from '#console/access/roles.ts';
import { clientGone } from '#http/client-gone.ts';
import { acceptMultipart } from '#http/multipart.ts';
import { getPrincipal } from '#http/principal.ts';
import { admitBody } from '#http/slow-bodies.ts';
import { ApiError } from '#lib/errors/api-error.ts';
import { randomToken } from '#lib/random-token.ts';
import { withEntry } from '#storage/console/due-entry.ts';
import { isIssuerLive } from '#storage/keys/api-keys.ts';
import {
  findUpload,
  findUploadByToken,
  insertUpload,
  recordArrival,
  type UploadRecord,
} from '#storage/subscribers/uploads.ts';
import { CsvRefused } from '../csv/csv-refused.ts';
import { listFields } from '../fields/list-fields.ts';
import { gone, idFrom, no } from '../http/refusals.ts';
import { type RouteKit, type SurfaceApp, text } from '../http/route-kit.ts';
import { createBody, tokenParams, uploadItem, uploadParams } from './contract.ts';
import { askPage, closedPage, donePage, PAGE_POLICY } from './page.ts';
import { receiveFile } from './receive-file.ts';
import { showUpload } from './views.ts';

/** As long as the blob store keeps unreferenced blobs: a file that arrives in time exists until its upload ends. */
const UPLOAD_MS = 3_600_000;

/** Multipart overhead around the file. */
const FORM_BYTES = 64 * 1024;

const tags = ['Jobs'];
const binary = { type: 'string', format: 'binary' };
const FILE_BODIES = {
  'text/csv': text('Email,Name\nann@example.com,Ann Lee\n'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': binary,
  'application/octet-stream': binary,
};

export function uploadRoutes(app: SurfaceApp, { deps, open, baseUrl }: RouteKit): void {
  const { db, clock, ids, settings } = deps;
  const limits = { maxBytes: settings.maxCsvBytes, maxRows: settings.maxCsvRows };
  const show = async (record: UploadRecord, url: string | null) =>
    showUpload(record, await listFields(db, record.account_id), url);

  app.post(
    '/jobs/subscriber-import-uploads',
    {
      ...open(['subscribers:import']),
      schema: {
        operationId: 'startSubscriberImportUpload',
        summary: 'Start an upload for an import',
        description:
          'Creates a link that accepts one file without a key, for an hour. Use the upload in an import once its file has arrived.',
        tags,
        body: createBody,
        response: { 201: uploadItem },
      },
    },
    async (request, reply) => {
      const token = randomToken(43);
      const now = clock.now();
      const { accountId, keyId } = getPrincipal(request);
      const record = {
        id: ids.uuid(),
        account_id: accountId,
        issued_by: keyId,
        token_hash: hashOf(token),
        file_name: request.body?.file_name ?? null,
        created_at: now,
        expires_at: new Date(now.getTime() + UPLOAD_MS),
      };
      await withEntry(db, (tx) => insertUpload(tx, record));
      const made = await findUpload(db, record.account_id, record.id);
      if (made === undefined) throw new Error('bug: an upload was made and is not there');
      return reply.code(201).send({ data: await show(made, `${baseUrl(request)}/v1/uploads/${token}`) });
    },
  );

  app.get(
    '/jobs/subscriber-import-uploads/:upload_id',
    {
      ...open(['subscribers:import'], ['resource_not_found']),
      schema: {
        operationId: 'getSubscriberImportUpload',
        summary: 'Get an upload',
        description:
          'Returns the state of an upload and, once its file has arrived, the columns and proposed mappings.',
        tags,
        params: uploadParams,
        response: { 200: uploadItem },
      },
    },
    async (request) => {
      const id = idFrom(request.params.upload_id, 'upload');
      const found = await findUpload(db, getPrincipal(request).accountId, id);
      const expired = found !== undefined && found.queued_at === null && found.expires_at <= clock.now();
      if (found === undefined || expired) throw gone('upload');
      return { data: await show(found, null) };
    },
  );

  /** Closes the link once its key is revoked, or once the person who made it can no longer change the account's data. */
  const requireIssuer = async ({ account_id: accountId, issued_by: issuer }: UploadRecord) => {
    const live = await isIssuerLive(db, { accountId, issuer, roles: rolesWith.design }, clock.now());
    if (!live) throw gone('upload');
  };
  /** The link itself is the permission: its token is 256 random bits, and only a hash of it is stored. */
  const find = async (token: string): Promise<UploadRecord> => {
    const found = await findUploadByToken(db, hashOf(token));
    if (found === undefined) throw gone('upload');
    await requireIssuer(found);
    if (found.queued_at !== null)
      throw no('resource_conflict', 'The import of this upload has already started. Start a new upload.');
    if (found.expires_at <= clock.now())
      throw no('upload_expired', 'This upload link has expired. Start a new upload.');
    return found;
  };
  const take = async (
    record: UploadRecord,
    reply: FastifyReply,
    bytes: AsyncIterable<Uint8Array>,
    fileName: string | null,
  ) => {
    const turn = { owner: record.account_id, signal: clientGone(reply) };
    const { source, sizeBytes } = await receiveFile(deps, turn, deps.room.guarded(bytes), limits).catch(
      (error) => {
        throw error instanceof CsvRefused ? no(error.code, error.message) : error;
      },
    );
    const { headers, rows: rowCount } = source;
    await requireIssuer(record);
    return withEntry(db, async (tx) => {
      const file = { fileName, sizeBytes, headers, rowCount, source };
      const arrived = await recordArrival(tx, record.id, file, clock.now());
      if (arrived === undefined)
        throw no('upload_expired', 'The upload expired before its file arrived. Start a new upload.');
      return arrived;
    });
  };

  /** Finds the upload of a request before its body is read: a request without a valid link must not use memory or disk. */
  const uploads = new WeakMap<FastifyRequest, UploadRecord>();
  const findFirst = async (request: FastifyRequest) => {
    const { token } = request.params as z.infer<typeof tokenParams>;
    const found = await find(token);
    await deps.room.require(found.account_id);
    uploads.set(request, found);
    admitBody(request);
  };
  const uploadOf = (request: FastifyRequest): UploadRecord => {
    const found = uploads.get(request);
    if (found === undefined) throw new Error('bug: an upload route ran without its onRequest hook');
    return found;
  };

  void app.register(async (scope) => {
    // Bodies in this scope are streams. The default JSON parser would buffer a whole body, and its limit does not
    // apply here.
    scope.removeContentTypeParser('application/json');
    await acceptMultipart(scope);
    scope.addContentTypeParser(
      '*',
      (_request: FastifyRequest, payload: IncomingMessage, done: (error: null, body: unknown) => void) =>
        done(null, payload),
    );
    const config = {
      public: true,
      errors: [
        'invalid_csv',
        'csv_too_large',
        'upload_expired',
        'resource_conflict',
        'resource_not_found',
      ] as const,
    };

    scope.put(
      '/uploads/:token',
      {
        bodyLimit: settings.maxCsvBytes, // counted while it is read
        onRequest: (request, reply) => unreadable(reply, findFirst(request)),
        config: { ...config, documentedBody: FILE_BODIES },
        schema: {
          operationId: 'putSubscriberImportFile',
          summary: 'Upload a file',
          description: 'Sends the file to the link, as a CSV or XLSX file. The link itself grants access.',
          tags,
          params: tokenParams,
          response: { 200: uploadItem },
        },
      },
      async (request, reply) => {
        const body = request.body as AsyncIterable<Uint8Array> | undefined;
        if (body === undefined || request.headers['content-type']?.startsWith('application/json') === true) {
          reply.header('connection', 'close');
          throw no('invalid_csv', 'The body must be the CSV or XLSX file itself.');
        }
        const arrived = await unreadable(reply, take(uploadOf(request), reply, body, nameOf(request)));
        return reply.send({ data: await show(arrived, null) });
      },
    );

    scope.get(
      '/uploads/:token',
      {
        config: {
          public: true,
          errors: ['resource_not_found', 'resource_conflict', 'upload_expired'],
          documentedResponses: pages('Upload page with a form', [400, 404, 409]),
        },
        schema: {
          operationId: 'openSubscriberImportUpload',
          summary: 'Open the upload page',
          description: 'Shows a page on which a person can choose the file.',
          tags,
          params: tokenParams,
        },
      },
      async (request, reply) => {
        const { token } = request.params as z.infer<typeof tokenParams>;
        return find(token).then(
          () => sendPage(reply, 200, askPage()),
          (error) => sendProblem(reply, error, closedPage),
        );
      },
    );

    scope.post(
      '/uploads/:token',
      {
        bodyLimit: settings.maxCsvBytes + FORM_BYTES,
        onRequest: (request, reply) =>
          findFirst(request).catch(
            (error) => void sendProblem(reply.header('connection', 'close'), error, closedPage),
          ),
        config: {
          ...config,
          documentedBody: {
            'multipart/form-data': {
              type: 'object',
              properties: { file: binary },
              required: ['file'],
              examples: [{ file: '(bytes of people.csv)' }],
            },
          },
          documentedResponses: pages('Page that confirms the upload', [400, 404, 409, 413]),
        },
        schema: {
          operationId: 'postSubscriberImportFile',
          summary: 'Upload a file from the form',
          description: 'Receives the file from the form of the upload page, and answers with a page.',
          tags,
          params: tokenParams,
        },
      },
      async (request, reply) => {
        try {
          if (!request.isMultipart()) throw no('invalid_csv', 'Send the form as multipart/form-data.');
          const part = await request.file();
          if (part === undefined || part.fieldname !== 'file')
            throw no('invalid_csv', 'Choose a file to upload.');
          const arrived = await take(
            uploadOf(request),
            reply,
            part.file,
            part.filename?.slice(0, 255) ?? null,
          );
          return sendPage(reply, 200, donePage(arrived.row_count ?? 0, arrived.headers.length));
        } catch (error) {
          // Browsers show the page only after sending the whole form.
          request.raw.unpipe();
          request.raw.resume();
          return sendProblem(reply, error, askPage);
        }
      },
    );
  });
}

/** A rejection before the end of the body closes the connection, because the rest is not read. */
async function unreadable<T>(reply: FastifyReply, taking: Promise<T>): Promise<T> {
  return taking.catch((error) => {
    reply.header('connection', 'close');
    throw error;
  });
}

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', PAGE_POLICY)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send(html);
}

/** The HTML responses for the OpenAPI document, including errors. */
function pages(description: string, refusals: readonly number[]) {
  const content = { 'text/html': text('<!doctype html>…') };
  const closed = { description: 'A page that says what is wrong', content };
  return {
    200: { description, content },
    ...Object.fromEntries(refusals.map((status) => [status, closed])),
  };
}

/** Sends errors as pages, for people. */
function sendProblem(reply: FastifyReply, error: unknown, render: (problem: string) => string): FastifyReply {
  if (!(error instanceof ApiError)) throw error;
  return sendPage(reply, error.entry.status, render(error.message));
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The subset of RFC 6266 that clients use with PUT. */
function nameOf(request: FastifyRequest): string | null {
  const header = request.headers['content-disposition'];
  const name = /filename="?([^";]{1,255})"?/.exec(header ?? '')?.[1];
  return name ?? null;
}
