import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { S3Connection } from './s3-connection.ts';
import { hasStatus } from './s3-errors.ts';

export interface OpenUpload {
  readonly key: string;
  readonly id: string;
  readonly startedAt: Date;
}

export interface UploadedPart {
  /** From 1. */
  readonly number: number;
  readonly tag: string;
  readonly size: number;
  readonly storedAt: Date;
}

/**
 * Uploads objects in parts. Nothing is visible until an upload is completed, and its parts use storage until it is
 * aborted.
 */
export class S3Multipart {
  readonly #store: S3Connection;

  constructor(connection: S3Connection) {
    this.#store = connection;
  }

  async begin(key: string, mediaType?: string): Promise<string> {
    const command = new CreateMultipartUploadCommand({ ...this.#store.at(key), ContentType: mediaType });
    const { UploadId } = await this.#store.explain('CreateMultipartUpload', () =>
      this.#store.client.send(command),
    );
    if (UploadId === undefined) throw new Error('bug: the blob store returned no upload id');
    return UploadId;
  }

  /** Returns the ETag of the part. */
  async put(key: string, uploadId: string, number: number, body: Uint8Array): Promise<string> {
    const command = new UploadPartCommand({
      ...this.#store.at(key),
      UploadId: uploadId,
      PartNumber: number,
      Body: body,
      ContentLength: body.length,
    });
    const { ETag } = await this.#store.explain('UploadPart', () => this.#store.client.send(command));
    if (ETag === undefined) throw new Error('bug: the blob store returned no ETag for a part');
    return ETag;
  }

  /** Returns false if the upload does not exist: it was aborted, or completed by a request whose response was lost. */
  async complete(key: string, uploadId: string, tags: readonly string[]): Promise<boolean> {
    const command = new CompleteMultipartUploadCommand({
      ...this.#store.at(key),
      UploadId: uploadId,
      MultipartUpload: { Parts: tags.map((ETag, i) => ({ ETag, PartNumber: i + 1 })) },
    });
    const done = await this.#store.find('CompleteMultipartUpload', () => this.#store.client.send(command));
    return done !== undefined;
  }

  async abort(key: string, uploadId: string): Promise<void> {
    const command = new AbortMultipartUploadCommand({ ...this.#store.at(key), UploadId: uploadId });
    await this.#store.find('AbortMultipartUpload', () => this.#store.client.send(command));
  }

  /** Lists uploads of keys below `below` that are neither completed nor aborted. */
  async *list(below = ''): AsyncIterable<OpenUpload> {
    let after = {};
    for (;;) {
      const page = await this.#listPage(below, after);
      for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
        if (Key !== undefined && UploadId !== undefined && Initiated !== undefined)
          yield { key: this.#store.without(Key), id: UploadId, startedAt: Initiated };
      if (!page.IsTruncated) return;
      after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  #listPage(below: string, after: object): Promise<Partial<ListMultipartUploadsCommandOutput>> {
    const { bucket, root, client } = this.#store;
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: `${root}${below}`, ...after });
    return this.#store.explain('ListMultipartUploads', async () => {
      try {
        return await client.send(command);
      } catch (error) {
        // Not implemented: configure such a store itself to expire incomplete uploads.
        if (hasStatus(error, 501)) return {};
        throw error;
      }
    });
  }

  /** Returns when the newest part of an upload arrived, or undefined if it has none. */
  async newestPart(upload: OpenUpload): Promise<Date | undefined> {
    let newest: Date | undefined;
    for await (const { storedAt } of this.parts(upload))
      if (newest === undefined || storedAt > newest) newest = storedAt;
    return newest;
  }

  /** Lists the parts of an upload that the store has. There are none if the upload does not exist. */
  async *parts({ key, id }: Pick<OpenUpload, 'key' | 'id'>): AsyncIterable<UploadedPart> {
    let next: string | undefined;
    do {
      const command = new ListPartsCommand({
        ...this.#store.at(key),
        UploadId: id,
        PartNumberMarker: next,
      });
      const page = await this.#store.find('ListParts', () => this.#store.client.send(command));
      for (const { PartNumber, ETag, Size, LastModified } of page?.Parts ?? [])
        if (
          PartNumber !== undefined &&
          ETag !== undefined &&
          Size !== undefined &&
          LastModified !== undefined
        )
          yield { number: PartNumber, tag: ETag, size: Size, storedAt: LastModified };
      next = page?.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (next !== undefined);
  }
}
