import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  beganXml,
  completedXml,
  errorXml,
  listXml,
  partsXml,
  readWantedParts,
  uploadsXml,
} from './answers.ts';
import { BucketContents, cut, type StoredObject } from './contents.ts';
import { type Fault, FaultPlan } from './faults.ts';
import { S3Refusal } from './refusal.ts';
import { type S3Account, verifySignature } from './signature.ts';

export const testAccount: S3Account = {
  accessKeyId: 'AKIDTESTTESTTEST',
  secretAccessKey: 'a-secret+of/the=tests',
  region: 'us-east-1',
};

export interface S3ServerOptions {
  readonly account?: S3Account;
  /** Objects and uploads per list page; S3 itself returns a thousand. */
  readonly pageSize?: number;
  readonly port?: number;
}

/** The only bucket. */
export const BUCKET = 'rowpress-test';

/**
 * A small in-memory S3 on loopback, path style: the part of the API that blobs need, as strict as a real store. It verifies
 * every signature and body independently, and injects the faults that a test plans.
 */
export class S3Server {
  readonly contents = new BucketContents();
  readonly faults = new FaultPlan();
  /** Requests in order of arrival: `PutObject ab/abcd`. */
  readonly requests: string[] = [];
  readonly account: S3Account;
  /** The time at which links are checked, so that a test can let them expire. */
  linkTime: () => Date = () => new Date();
  /** The headers of each request, by the same index as `requests`. */
  readonly headers: IncomingHttpHeaders[] = [];
  /** Responses not yet sent or dropped. */
  sending = 0;
  readonly #options: S3ServerOptions;
  readonly #server = createServer((request, response) => {
    this.sending += 1;
    response.once('close', () => {
      this.sending -= 1;
    });
    this.#handle(request, response).catch((error: unknown) => {
      if (error instanceof S3Refusal) refuse(request, response, error);
      else response.destroy(error as Error);
    });
  });

  private constructor(options: S3ServerOptions) {
    this.#options = options;
    this.account = options.account ?? testAccount;
  }

  static async start(options: S3ServerOptions = {}): Promise<S3Server> {
    const server = new S3Server(options);
    server.#server.listen(options.port ?? 0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Settings that a Rowpress process needs to use it. */
  env(prefix: string): Record<string, string> {
    const { accessKeyId, secretAccessKey, sessionToken } = this.account;
    return {
      ROWPRESS_BLOBS: `s3://${BUCKET}/${prefix}?endpoint=${this.endpoint}&region=${this.account.region}`,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      ...(sessionToken !== undefined && { AWS_SESSION_TOKEN: sessionToken }),
    };
  }

  /** Stops the server. Idempotent. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://s3');
    const [, bucket = '', ...rest] = pathname.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    const operation = operationOf(request.method ?? '', key, query);
    this.requests.push(`${operation} ${key}`);
    this.headers.push(request.headers);
    const fault = this.faults.take(operation);
    if (fault?.do === 'hang') return;
    if (fault?.do === 'reset') return void request.socket.resetAndDestroy();
    if (fault?.do === 'wait') await fault.until;
    if (fault?.do === 'answer') throw new S3Refusal(fault.status, fault.code);
    verifySignature(request, body, this.account, this.linkTime());
    if (bucket !== BUCKET) throw new S3Refusal(404, 'NoSuchBucket');
    const answer = this.#perform(operation, key, query, body);
    if (fault?.do === 'loseAnswer') return void request.socket.resetAndDestroy();
    if (typeof answer === 'object') return send(request, response, answer, fault);
    response.writeHead(answer === undefined ? 204 : 200, { 'content-type': 'application/xml' }).end(answer);
  }

  /** XML, nothing, or an object to send (its body on GET only). */
  #perform(
    operation: string,
    key: string,
    query: URLSearchParams,
    body: Buffer,
  ): string | StoredObject | TagOnly | undefined {
    const { contents } = this;
    const pageSize = this.#options.pageSize ?? 1000;
    const uploadId = query.get('uploadId') ?? '';
    switch (operation) {
      case 'PutObject':
        return { tag: contents.put(key, body).tag };
      case 'GetObject':
      case 'HeadObject':
        return contents.get(key);
      case 'DeleteObject':
        contents.objects.delete(key);
        return undefined;
      case 'ListObjectsV2':
        return listXml(contents, BUCKET, query, pageSize);
      case 'CreateMultipartUpload':
        return beganXml(BUCKET, contents.begin(key));
      case 'UploadPart':
        return { tag: contents.putPart(key, uploadId, Number(query.get('partNumber')), body).tag };
      case 'CompleteMultipartUpload':
        return completedXml(
          BUCKET,
          key,
          contents.complete(key, uploadId, readWantedParts(body.toString())).tag,
        );
      case 'AbortMultipartUpload':
        contents.abort(key, uploadId);
        return undefined;
      case 'ListMultipartUploads':
        return uploadsXml(contents, BUCKET, query, pageSize);
      case 'ListParts':
        return partsXml(contents.upload(key, uploadId));
      default:
        throw new S3Refusal(501, 'NotImplemented');
    }
  }
}

interface TagOnly {
  readonly tag: string;
}

function operationOf(method: string, key: string, query: URLSearchParams): string {
  const has = (name: string) => query.has(name);
  if (key === '' && method === 'GET')
    return has('uploads')
      ? 'ListMultipartUploads'
      : query.get('list-type') === '2'
        ? 'ListObjectsV2'
        : 'Other';
  if (key === '') return 'Other';
  if (has('uploads') && method === 'POST') return 'CreateMultipartUpload';
  if (has('uploadId')) {
    const ofUpload = { PUT: 'UploadPart', POST: 'CompleteMultipartUpload', DELETE: 'AbortMultipartUpload' };
    return method === 'GET' ? 'ListParts' : (ofUpload[method as keyof typeof ofUpload] ?? 'Other');
  }
  const ofObject = { PUT: 'PutObject', GET: 'GetObject', HEAD: 'HeadObject', DELETE: 'DeleteObject' };
  return ofObject[method as keyof typeof ofObject] ?? 'Other';
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: S3Refusal): void {
  response.writeHead(refusal.status, { 'content-type': 'application/xml' });
  response.end(request.method === 'HEAD' ? undefined : errorXml(refusal));
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: StoredObject | TagOnly,
  fault: Fault | undefined,
): Promise<void> {
  if (!('pieces' in answer)) return void response.writeHead(200, { etag: answer.tag }).end();
  const { size, pieces, tag, storedAt } = answer;
  const ifRange = request.headers['if-range'];
  const range = ifRange === undefined || ifRange === tag ? readRange(request.headers.range, size) : undefined;
  const { start, end } = range ?? { start: 0, end: size };
  response.writeHead(range === undefined ? 200 : 206, {
    etag: tag,
    'last-modified': storedAt.toUTCString(),
    'content-length': end - start,
    'accept-ranges': 'bytes',
    ...requestedHeaders(request),
    ...(range !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
  });
  if (request.method === 'HEAD') return void response.end();
  const isCut = fault?.do === 'cutBody' || fault?.do === 'hangBody';
  const stop = isCut ? Math.min(start + fault.after, end) : end;
  const sent = [...cut(pieces, start, stop)];
  const bytes = fault?.do === 'spoilBody' ? sent.map((piece) => spoil(piece, fault.after)) : sent;
  const isSent = await pipeline(Readable.from(bytes), response, { end: false }).then(
    () => true,
    () => false, // the client disconnected
  );
  if (!isSent) return;
  if (fault?.do === 'hangBody') return;
  // Flush the written bytes before the connection breaks.
  if (fault?.do === 'cutBody') return void setImmediate(() => request.socket.destroySoon());
  response.end();
}

/** The `response-…` parameters of GetObject. */
function requestedHeaders({ url }: IncomingMessage): Record<string, string> {
  const { searchParams } = new URL(url ?? '/', 'http://s3');
  const entries = ['content-type', 'content-disposition'].flatMap((name) => {
    const value = searchParams.get(`response-${name}`);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

function spoil(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** Parses a single range (RFC 9110, 14.1.2). Undefined means the whole object. */
function readRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const found = /^bytes=(\d+)-(\d*)$/.exec(header ?? '');
  if (found === null) return undefined;
  const start = Number(found[1]);
  const end = found[2] === '' ? size : Math.min(Number(found[2]) + 1, size);
  if (start >= size || start >= end) throw new S3Refusal(416, 'InvalidRange');
  return { start, end };
}
