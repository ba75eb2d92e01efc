import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Db } from '#storage/database.ts';
import { findRequestKey, type RequestKeyClaim, type RequestKeyRecord } from '#storage/request-keys.ts';

/** The key of a request, and the digests by which two requests with this key are compared. */
export interface RequestIdentity {
  /** Separates the keys of different operations: `bulkfill.export`, `subscribers.import`, `ingest:<partner>` … */
  readonly scope: string;
  readonly key: string;
  readonly windowSeconds: number;
  /** Digest of the body as far as it counts. Null: a different body is not a conflict. */
  readonly bodyDigest: Buffer | null;
  /** Digest of each named part, so that a conflict can name the parts that differ. */
  readonly bodyParts?: Readonly<Record<string, string>>;
}

/** A key that another request holds. `mismatch`: with a different body. */
export interface Taken {
  readonly outcome: 'replay' | 'mismatch';
  readonly record: RequestKeyRecord;
  /** Named parts that differ from the first request. */
  readonly differsIn: readonly string[];
}

/** SHA-256 of a JSON value in canonical form (RFC 8785): white space and the order of members do not count. */
export function canonicalDigest(value: unknown): Buffer {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('bug: a value without a JSON form has no digest');
  return createHash('sha256').update(text).digest();
}

export function toClaim(
  accountId: string,
  identity: RequestIdentity,
  jobId: string | null,
  now: Date,
): RequestKeyClaim {
  return {
    accountId,
    scope: identity.scope,
    key: identity.key,
    bodyDigest: identity.bodyDigest,
    bodyParts: identity.bodyParts ?? null,
    jobId,
    now,
    expiresAt: new Date(now.getTime() + identity.windowSeconds * 1000),
  };
}

/** Reads the request that holds a key, after a claim of the key has failed. */
export async function findTaken(
  db: Db,
  accountId: string,
  identity: RequestIdentity,
  now: Date,
): Promise<Taken> {
  const record = await findRequestKey(db, accountId, identity.scope, identity.key, now);
  if (record === undefined) throw new Error('bug: a claim failed, but no request holds the key');
  return compare(record, identity);
}

/** Compares a request with the one that holds its key. Without a digest on either side it is a replay. */
export function compare(
  record: RequestKeyRecord,
  { bodyDigest, bodyParts = {} }: Pick<RequestIdentity, 'bodyDigest' | 'bodyParts'>,
): Taken {
  const same = bodyDigest === null || record.body_digest === null || record.body_digest.equals(bodyDigest);
  // A record without parts does not say which of them differ.
  const before = (record.body_parts ?? bodyParts) as Readonly<Record<string, string>>;
  const names = [...new Set([...Object.keys(before), ...Object.keys(bodyParts)])].sort();
  const differsIn = names.filter((name) => before[name] !== bodyParts[name]);
  return { outcome: same ? 'replay' : 'mismatch', record, differsIn };
}
