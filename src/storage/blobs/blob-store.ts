/**
 * Storage for bytes that are too large for the database. Content-addressed: a blob's name is derived from its content
 * (blob-name.ts), so that equal content is stored once. A blob becomes visible atomically. `digest` is the name of a
 * blob wherever blobs are read, listed or deleted.
 */
export interface BlobStore {
  /**
   * Writes bytes to the temporary area and hashes them. A failure leaves nothing behind. The blob is named `name`, or
   * the SHA-256 of the bytes.
   */
  receive(bytes: AsyncIterable<Uint8Array>, name?: string): Promise<StagedBlob>;
  /** `end` is exclusive. Fails with `BlobMissing` if there is no such blob. */
  read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  has(digest: string): Promise<boolean>;
  /** Returns the file of a blob, if the store has files that this process can read. */
  localPath(digest: string): string | undefined;
  /** Deletes a blob. Does nothing if it does not exist. */
  delete(digest: string): Promise<void>;
  list(): AsyncIterable<{ readonly digest: string; readonly storedAt: Date }>;
  /** Deletes files that crashed processes left in the temporary area. Returns how many. */
  sweepTemporary(olderThan: Date): Promise<number>;
  /** Returns a name that the store created at first use: nodes that read the same name share their blobs. */
  identity(): Promise<string>;
  /** Undefined if clients cannot read from the store directly. */
  readonly linked?: LinkedObjects;
}

/** Artifacts as single objects that clients read from the store itself, through links that expire. */
export interface LinkedObjects {
  /**
   * Sends an object as a stream and returns the store's ETag of it. A repeated call continues the upload that an earlier
   * one left, so `read` must always return the same bytes for a name.
   */
  store(object: NewObject): Promise<{ readonly etag: string }>;
  /** Returns an address from which anyone can read the object until it expires. Sends no request to the store. */
  link(name: string, terms: LinkTerms): Promise<string>;
}

export interface NewObject {
  /** A name of `wholeNameOf`. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
  read(range: ByteRange): AsyncIterable<Uint8Array>;
  /** Called after the last byte was sent and before the object becomes visible. */
  beforeVisible(): Promise<void>;
}

export interface LinkTerms {
  readonly from: Date;
  readonly seconds: number;
  readonly mediaType: string;
  /** The `Content-Disposition` of the response. */
  readonly disposition: string;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A received blob, not yet stored. Exactly one of `keep` and `discard` ends it; a second call of either does nothing. */
export interface StagedBlob {
  /** The name that the blob will have. */
  readonly name: string;
  /** The SHA-256 of the content, in hexadecimal. */
  readonly digest: string;
  /** Bytes of the content. */
  readonly sizeBytes: number;
  /** A local file with the bytes to be stored, until the blob is kept or discarded. */
  readonly path: string;
  /** Makes the blob durable and visible. */
  keep(): Promise<void>;
  discard(): Promise<void>;
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';

  constructor(digest: string) {
    super(`bug: blob ${digest} is missing`);
  }
}
