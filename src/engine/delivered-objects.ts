import type { Clock } from '#lib/clock.ts';
import { touchBlob } from '#storage/blob-records.ts';
import { wholeNameOf } from '#storage/blobs/blob-name.ts';
import type { ByteRange, LinkedObjects, LinkTerms } from '#storage/blobs/blob-store.ts';
import type { Db } from '#storage/database.ts';

/** An artifact as one object. Artifacts with equal tags have equal bytes. */
export interface WholeArtifact {
  /** A SHA-256 in hexadecimal. */
  readonly etag: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
  read(range: ByteRange): AsyncIterable<Uint8Array>;
}

export interface DeliveredObject {
  /** The name of its blob record, to be referenced by the job. */
  readonly name: string;
  /** The ETag that the store sends, with its quotes. */
  readonly etag: string;
}

const MAX_LINK_SECONDS = 15 * 60;

/**
 * Artifacts that clients read from the object store. Each has a blob record, so it is counted and swept like a blob. The
 * record is written before the object becomes visible, as for every blob (blob-keeper.ts).
 */
export class DeliveredObjects {
  readonly #linked: LinkedObjects;
  readonly #db: Db;
  readonly #clock: Clock;

  constructor(linked: LinkedObjects, db: Db, clock: Clock) {
    this.#linked = linked;
    this.#db = db;
    this.#clock = clock;
  }

  /** Stores an artifact. A repeated call continues the upload of an earlier one. */
  async put({ etag, sizeBytes, mediaType, read }: WholeArtifact): Promise<DeliveredObject> {
    const name = wholeNameOf(etag);
    const record = async () => {
      await touchBlob(this.#db, { name, sizeBytes, digest: name }, this.#clock.now());
    };
    // Before the store is asked whether it has the object: from here on no sweep deletes it for an hour.
    await record();
    // And again at the end, because an upload can take longer than that hour.
    const stored = await this.#linked.store({ name, sizeBytes, mediaType, read, beforeVisible: record });
    return { name, etag: stored.etag };
  }

  /**
   * Returns a link to the object that expires after 15 minutes, or with its delivery. Returns undefined if less than a second
   * is left, the shortest time that a link can have.
   */
  async link(
    name: string,
    { expiresAt, ...terms }: { readonly expiresAt: Date } & Pick<LinkTerms, 'mediaType' | 'disposition'>,
  ): Promise<string | undefined> {
    const from = this.#clock.now();
    const left = Math.floor((expiresAt.getTime() - from.getTime()) / 1000);
    if (left < 1) return undefined;
    return this.#linked.link(name, { ...terms, from, seconds: Math.min(left, MAX_LINK_SECONDS) });
  }
}
