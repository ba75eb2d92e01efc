import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientGone } from '#http/client-gone.ts';
import { acceptMultipart } from '#http/multipart.ts';
import { getPrincipal } from '#http/principal.ts';
import { admitBody } from '#http/slow-bodies.ts';
import { ApiError } from '#lib/errors/api-error.ts';
import { randomToken } from '#lib/random-token.ts';
import { isIssuerLive } from '#storage/keys/api-keys.ts';
import {
  findUpload,
  findUploadByToken,
  insertUpload,
  recordArrival,
  type UploadRecord,
} from '#storage/subscribers/uploads.ts';
import { itemOf, label } from '../contract.ts';
import { CsvRefused } from '../csv/csv-refused.ts';
import { listFields } from '../fields/list-fields.ts';
import { gone, idFrom, no } from '../http/refusals.ts';
import { documented, type RouteKit, type SurfaceApp } from '../http/route-kit.ts';
import { upload } from './contract.ts';
import { askPage, closedPage, donePage, PAGE_POLICY } from './page.ts';
import { receiveFile } from './receive-file.ts';
import { showUpload } from './views.ts';

/** As long as the blob store keeps what nobody refers to yet; a file in time is there until its upload ends. */
const UPLOAD_MS = 3_600_000;

/** What a form puts around its file. */
const FORM_BYTES = 64 * 1024;

const tags = ['Jobs'];
const tokenParams = z.object({ token: z.string() });
const createBody = z.object({ file_name: label(255).nullish() }).nullish();
const FILE_TYPES = [
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
];
const binary = { type: 'string', format: 'binary' };

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
        tags,
        body: createBody,
        response: { 201: itemOf(upload) },
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
      await insertUpload(db, record);
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
        tags,
        params: z.object({ upload_id: z.string() }),
        response: { 200: itemOf(upload) },
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

  /** A link is worth no more than the key that made it: revoking the key closes it. */
  const requireIssuer = async ({ account_id: accountId, issued_by: issuer }: UploadRecord) => {
    if (!(await isIssuerLive(db, accountId, issuer, clock.now()))) throw gone('upload');
  };
  /** The link itself is the permission: its token is 256 random bits, of which only a hash is stored. */
  const find = async (token: string): Promise<UploadRecord> => {
    const found = await findUploadByToken(db, hashOf(token));
    if (found === undefined) throw gone('upload');
    await requireIssuer(found);
    if (found.queued_at !== null)
      throw no('resource_conflict', 'The import of this upload has begun; start a new upload.');
    if (found.expires_at <= clock.now())
      throw no('upload_expired', 'This upload link has expired; start a new upload.');
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
    const arrived = await recordArrival(
      db,
      record.id,
      { fileName, sizeBytes, headers, rowCount, source },
      clock.now(),
    );
    if (arrived === undefined)
      throw no('upload_expired', 'The upload ended while its file arrived; start a new one.');
    return arrived;
  };

  /** The upload of a request, found before its body: a request without a valid link must not cost memory or disk. */
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
    // Bodies of this scope are streams. The shell's JSON parser would hold one whole, and no limit of its own applies here.
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
        config: { ...config, documentedBody: Object.fromEntries(FILE_TYPES.map((type) => [type, binary])) },
        schema: {
          operationId: 'putSubscriberImportFile',
          summary: 'Hand in the file of an upload',
          tags,
          params: tokenParams,
          response: { 200: itemOf(upload) },
        },
      },
      async (request, reply) => {
        const body = request.body as AsyncIterable<Uint8Array> | undefined;
        if (body === undefined || request.headers['content-type']?.startsWith('application/json') === true) {
          reply.header('connection', 'close');
          throw no('invalid_csv', 'Send the file itself, as CSV or XLSX.');
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
          documentedResponses: pages('A page with a form', [400, 404, 409]),
        },
        schema: {
          operationId: 'openSubscriberImportUpload',
          summary: 'The page where a person uploads a file',
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
            'multipart/form-data': { type: 'object', properties: { file: binary }, required: ['file'] },
          },
          documentedResponses: pages('A page that says what arrived', [400, 404, 409, 413]),
        },
        schema: {
          operationId: 'postSubscriberImportFile',
          summary: 'Hand in the file of an upload, from a form',
          tags,
          params: tokenParams,
        },
      },
      async (request, reply) => {
        try {
          if (!request.isMultipart()) throw no('invalid_csv', 'Send the form as multipart/form-data.');
          const part = await request.file();
          if (part === undefined || part.fieldname !== 'file')
            throw no('invalid_csv', 'Choose a file first.');
          const arrived = await take(
            uploadOf(request),
            reply,
            part.file,
            part.filename?.slice(0, 255) ?? null,
          );
          return sendPage(reply, 200, donePage(arrived.row_count ?? 0, arrived.headers.length));
        } catch (error) {
          // A browser shows the page only after it has sent the whole form.
          request.raw.unpipe();
          request.raw.resume();
          return sendProblem(reply, error, askPage);
        }
      },
    );
  });
}

/** A refusal before the end of a body closes the connection, because nobody reads the rest. */
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

/** Pages for the document, the refusals among them. */
function pages(description: string, refusals: readonly number[]): Readonly<Record<string, object>> {
  const { 200: page } = documented('text/html', description);
  return Object.fromEntries([200, ...refusals].map((status) => [status, page ?? {}]));
}

/** People get a page where programs get an envelope. */
function sendProblem(reply: FastifyReply, error: unknown, render: (problem: string) => string): FastifyReply {
  if (!(error instanceof ApiError)) throw error;
  return sendPage(reply, error.entry.status, render(error.message));
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** RFC 6266, as far as programs use it for a PUT. */
function nameOf(request: FastifyRequest): string | null {
  const header = request.headers['content-disposition'];
  const name = /filename="?([^";]{1,255})"?/.exec(header ?? '')?.[1];
  return name ?? null;
}
