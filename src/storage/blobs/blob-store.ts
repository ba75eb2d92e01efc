/**
 * Where bytes live that are too large for the database. Content-addressed: a blob's name is the SHA-256 of its
 * bytes, so storing the same content twice stores it once. A blob is visible whole or not at all.
 */
export interface BlobStore {
  /** Takes bytes into the temporary area, hashing while they pass. A failure leaves nothing behind. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<StagedBlob>;
  /** `end` is exclusive. Fails with `BlobMissing` when there is no such blob. */
  read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  has(digest: string): Promise<boolean>;
  /** Returns the file of a blob, if the store keeps files that this process can read. */
  localPath(digest: string): string | undefined;
  /** Deletes a blob. Does nothing if it does not exist. */
  delete(digest: string): Promise<void>;
  list(): AsyncIterable<{ readonly digest: string; readonly storedAt: Date }>;
  /** Deletes files that crashed processes left in the temporary area. Returns how many. */
  sweepTemporary(olderThan: Date): Promise<number>;
  /** Returns a name that the store created at first use: nodes that read the same name share their blobs. */
  identity(): Promise<string>;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Received, not yet stored. Exactly one of `keep` and `discard` ends it; a second call of either does nothing. */
export interface StagedBlob {
  readonly digest: string;
  readonly sizeBytes: number;
  /** A local file with the bytes, until it is kept or discarded. */
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
