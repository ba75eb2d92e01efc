import { createHash } from 'node:crypto';
import { pathOfBlob } from '../blob-name.ts';
import type { LinkedObjects, LinkTerms, NewObject } from '../blob-store.ts';
import type { S3Multipart } from './s3-multipart.ts';
import type { S3Objects } from './s3-objects.ts';
import { PART_BYTES, putParts } from './upload.ts';

/**
 * Artifacts as single objects. A process that dies leaves its upload open: the next attempt continues it, because equal
 * names have equal bytes and equal part sizes. An upload that no attempt continues is aborted by `sweepTemporary`.
 */
export class S3LinkedObjects implements LinkedObjects {
  readonly #objects: S3Objects;
  readonly #multipart: S3Multipart;

  constructor(objects: S3Objects, multipart: S3Multipart) {
    this.#objects = objects;
    this.#multipart = multipart;
  }

  async store(object: NewObject): Promise<{ readonly etag: string }> {
    const key = pathOfBlob(object.name);
    const stored = await this.#find(key, object);
    if (stored !== undefined) return stored;
    try {
      if (object.sizeBytes <= PART_BYTES) await this.#sendWhole(key, object);
      else await this.#sendParts(key, object);
    } catch (error) {
      // A concurrent attempt may have completed the same upload.
      const found = await this.#find(key, object);
      if (found === undefined) throw error;
      return found;
    }
    const sent = await this.#find(key, object);
    if (sent === undefined)
      throw new Error(`the store does not have the object ${object.name} that it confirmed`);
    return sent;
  }

  link(name: string, terms: LinkTerms): Promise<string> {
    return this.#objects.link(pathOfBlob(name), terms);
  }

  async #find(key: string, { sizeBytes }: NewObject): Promise<{ readonly etag: string } | undefined> {
    const found = await this.#objects.head(key);
    return found?.size === sizeBytes ? { etag: found.etag } : undefined;
  }

  async #sendWhole(key: string, object: NewObject): Promise<void> {
    const body = Buffer.allocUnsafeSlow(object.sizeBytes);
    await fill(body, object, 0);
    await object.beforeVisible();
    await this.#objects.put(key, body, createHash('sha256').update(body).digest('hex'), object.mediaType);
  }

  async #sendParts(key: string, object: NewObject): Promise<void> {
    const uploadId = (await this.#findUpload(key)) ?? (await this.#multipart.begin(key, object.mediaType));
    const sent = new Map<number, { readonly tag: string; readonly size: number }>();
    for await (const part of this.#multipart.parts({ key, id: uploadId })) sent.set(part.number, part);
    const tags = await putParts(object.sizeBytes, {
      fill: (body, position) => fill(body, object, position),
      put: (number, body) => this.#multipart.put(key, uploadId, number, body),
      sentTag: (number, size) => {
        const part = sent.get(number);
        return part?.size === size ? part.tag : undefined;
      },
    });
    await object.beforeVisible();
    await this.#multipart.complete(key, uploadId, tags);
  }

  async #findUpload(key: string): Promise<string | undefined> {
    for await (const upload of this.#multipart.list(key)) if (upload.key === key) return upload.id;
    return undefined;
  }
}

async function fill(body: Buffer, { name, read }: NewObject, position: number): Promise<void> {
  let at = 0;
  for await (const piece of read({ start: position, end: position + body.length })) {
    if (at + piece.length > body.length) throw new Error(`bug: object ${name} is longer than declared`);
    body.set(piece, at);
    at += piece.length;
  }
  if (at !== body.length) throw new Error(`bug: object ${name} is shorter than declared`);
}
