import { createHash, randomBytes } from 'node:crypto';
import { S3Refusal } from './refusal.ts';

/** "Amazon S3 multipart upload limits": minimum size of every part but the last. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

export interface StoredObject {
  readonly pieces: readonly Buffer[];
  readonly size: number;
  readonly tag: string;
  readonly storedAt: Date;
}

export interface StoredPart {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly storedAt: Date;
}

export interface OpenUpload {
  readonly key: string;
  readonly id: string;
  readonly parts: Map<number, StoredPart>;
  startedAt: Date;
}

const tagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

/** One bucket in memory. Writes are visible to reads and lists immediately. */
export class BucketContents {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, OpenUpload>();

  put(key: string, bytes: Buffer): StoredObject {
    const object = { pieces: [bytes], size: bytes.length, tag: tagOf(bytes), storedAt: new Date() };
    this.objects.set(key, object);
    return object;
  }

  get(key: string): StoredObject {
    const object = this.objects.get(key);
    if (object === undefined) throw new S3Refusal(404, 'NoSuchKey');
    return object;
  }

  begin(key: string): OpenUpload {
    const upload = { key, id: randomBytes(12).toString('hex'), parts: new Map(), startedAt: new Date() };
    this.uploads.set(upload.id, upload);
    return upload;
  }

  upload(key: string, id: string): OpenUpload {
    const upload = this.uploads.get(id);
    if (upload?.key !== key) throw new S3Refusal(404, 'NoSuchUpload');
    return upload;
  }

  putPart(key: string, id: string, number: number, bytes: Buffer): StoredPart {
    if (!(number >= 1 && number <= 10_000)) throw new S3Refusal(400, 'InvalidArgument');
    const part = { bytes, tag: tagOf(bytes), storedAt: new Date() };
    this.upload(key, id).parts.set(number, part);
    return part;
  }

  complete(key: string, id: string, wanted: readonly { number: number; tag: string }[]): StoredObject {
    const upload = this.upload(key, id);
    const pieces = wanted.map(({ number, tag }, i) => {
      const part = upload.parts.get(number);
      if (part?.tag !== tag) throw new S3Refusal(400, 'InvalidPart');
      if (number <= (wanted[i - 1]?.number ?? 0)) throw new S3Refusal(400, 'InvalidPartOrder');
      if (part.bytes.length < MIN_PART_BYTES && i < wanted.length - 1)
        throw new S3Refusal(400, 'EntityTooSmall');
      return part.bytes;
    });
    if (pieces.length === 0) throw new S3Refusal(400, 'MalformedXML');
    const tag = `"${createHash('md5')
      .update(wanted.map((part) => part.tag).join())
      .digest('hex')}-${pieces.length}"`;
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const object = { pieces, size, tag, storedAt: new Date() };
    this.objects.set(key, object);
    this.uploads.delete(id);
    return object;
  }

  abort(key: string, id: string): void {
    this.uploads.delete(this.upload(key, id).id);
  }
}

/** Bytes `start` to `end` (exclusive) of `pieces`, without copying. */
export function* cut(pieces: readonly Buffer[], start: number, end: number): Generator<Buffer> {
  let at = 0;
  for (const piece of pieces) {
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, piece.length);
    if (from < to) yield piece.subarray(from, to);
    at += piece.length;
  }
}
