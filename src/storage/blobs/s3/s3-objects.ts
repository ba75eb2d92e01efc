import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { LinkTerms } from '../blob-store.ts';
import type { S3Connection } from './s3-connection.ts';
import { hasStatus, isMissing } from './s3-errors.ts';

export interface ObjectPart {
  /** End (exclusive) of `body`; undefined only if the store sends no length. */
  readonly end: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ListedObject {
  readonly key: string;
  readonly storedAt: Date;
}

/**
 * The requests that blobs need. They use only the basic S3 API: no conditional writes, no batch deletes, no lifecycle,
 * because small stores lack some of them. Every body is sent from memory, so that the client can resend it after a
 * failure and sign its SHA-256.
 */
export class S3Objects {
  readonly #store: S3Connection;

  constructor(connection: S3Connection) {
    this.#store = connection;
  }

  get place(): string {
    return this.#store.place;
  }

  async put(key: string, body: Uint8Array, sha256: string, mediaType?: string): Promise<void> {
    const command = new PutObjectCommand({
      ...this.#store.at(key),
      Body: body,
      ContentLength: body.length,
      ContentType: mediaType,
    });
    command.middlewareStack.add(signing(sha256), { step: 'build' });
    await this.#store.explain('PutObject', () => this.#store.client.send(command));
  }

  /** Reads from `start` to `end` (exclusive), or to the end of the object. */
  async get(key: string, start: number, end?: number): Promise<ObjectPart | 'missing' | 'beyond'> {
    return this.#store.explain('GetObject', async () => {
      try {
        return await this.#get(key, start, end);
      } catch (error) {
        if (isMissing(error)) return 'missing';
        if (hasStatus(error, 416)) return 'beyond';
        throw error;
      }
    });
  }

  async #get(key: string, start: number, end: number | undefined): Promise<ObjectPart> {
    const isWhole = start === 0 && end === undefined;
    const range = isWhole ? {} : { Range: `bytes=${start}-${end === undefined ? '' : end - 1}` };
    const command = new GetObjectCommand({ ...this.#store.at(key), ...range });
    const { Body, ContentLength, ContentRange } = await this.#store.client.send(command);
    const body = Body as Readable;
    if (isWhole) return { end: ContentLength, body };
    const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(ContentRange ?? '') ?? [];
    if (Number(first) === start && last !== undefined) return { end: Number(last) + 1, body };
    body.destroy();
    throw Object.assign(new Error('the response has another range than the request'), {
      name: 'RangeIgnored',
    });
  }

  /** Returns undefined if the object does not exist. */
  async size(key: string): Promise<number | undefined> {
    return (await this.head(key))?.size;
  }

  /** Returns undefined if the object does not exist. */
  async head(key: string): Promise<{ readonly size: number; readonly etag: string } | undefined> {
    const command = new HeadObjectCommand(this.#store.at(key));
    const found = await this.#store.find('HeadObject', () => this.#store.client.send(command));
    return found && { size: found.ContentLength ?? 0, etag: found.ETag ?? '' };
  }

  /** Signs a GET of the object. Sends no request, unless the credentials of a role have to be renewed. */
  link(key: string, { from, seconds, mediaType, disposition }: LinkTerms): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#store.at(key),
      ResponseContentType: mediaType,
      ResponseContentDisposition: disposition,
    });
    return this.#store.explain('GetObject', () =>
      getSignedUrl(this.#store.client, command, { expiresIn: seconds, signingDate: from }),
    );
  }

  async delete(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#store.at(key));
    await this.#store.find('DeleteObject', () => this.#store.client.send(command));
  }

  /** Lists objects in pages of at most 1,000, each requested when it is needed. */
  async *list(below: string): AsyncIterable<ListedObject> {
    let next: string | undefined;
    do {
      const page = await this.listPage(below, { next });
      yield* page.objects;
      next = page.next;
    } while (next !== undefined);
  }

  async listPage(
    below: string,
    { max, next }: { readonly max?: number; readonly next?: string | undefined } = {},
  ): Promise<{ readonly objects: readonly ListedObject[]; readonly next: string | undefined }> {
    const command = new ListObjectsV2Command({
      Bucket: this.#store.bucket,
      Prefix: `${this.#store.root}${below}`,
      MaxKeys: max,
      ContinuationToken: next,
    });
    const page = await this.#store.explain('ListObjectsV2', () => this.#store.client.send(command));
    const objects = (page.Contents ?? []).flatMap(({ Key, LastModified }) =>
      Key === undefined || LastModified === undefined
        ? []
        : [{ key: this.#store.without(Key), storedAt: LastModified }],
    );
    return { objects, next: page.IsTruncated ? page.NextContinuationToken : undefined };
  }
}

/** Sets the known digest, so that the client does not hash the body again to sign it. */
function signing(sha256: string) {
  return <A extends object, O>(next: (args: A) => Promise<O>) =>
    async (args: A) => {
      const { request } = args as { request?: { headers?: Record<string, string> } };
      if (request?.headers !== undefined) request.headers['x-amz-content-sha256'] = sha256;
      return next(args);
    };
}
