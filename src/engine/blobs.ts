/**
 * Blobs as surfaces and kinds use them: content-addressed, recorded in the database when they are put, and kept while a
 * job or a project refers to them, but at least an hour after the last put. If the installation encrypts blobs, each is encrypted
 * with the data key of the account that puts it.
 */
export interface Blobs {
  put(accountId: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<PutBlob>;
  /** Repeats puts without their bytes. Returns false if there is no such blob for one of them. */
  touch(...digests: readonly string[]): Promise<boolean>;
  read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  readAll(digest: string, range?: ByteRange): Promise<Buffer>;
  /** Returns the SHA-256 of the content of each blob, in the order of the names. It is the name of a plain blob. */
  contentDigests(names: readonly string[]): Promise<string[]>;
}

export interface PutBlob {
  /** The name of the blob. */
  readonly digest: string;
  /** Bytes of the content. */
  readonly size: number;
}

/** `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
