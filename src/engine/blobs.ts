/**
 * Blobs as surfaces and kinds use them: content-addressed, recorded in the database when they are put, kept for
 * as long as a job refers to them (and an hour after the last put in any case).
 */
export interface Blobs {
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<PutBlob>;
  /** As if it were put again, without its bytes; false when there is no such blob. */
  touch(digest: string): Promise<boolean>;
  read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  readAll(digest: string, range?: ByteRange): Promise<Buffer>;
}

export interface PutBlob {
  readonly digest: string;
  readonly size: number;
}

/** `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
