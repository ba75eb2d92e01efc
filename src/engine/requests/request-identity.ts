import type { Tx } from '#storage/database.ts';
import {
  claimRequestKey,
  findRequestKey,
  type RequestKeyClaim,
  type RequestKeyRecord,
} from '#storage/request-keys.ts';

/** What makes two requests the same one. */
export interface RequestIdentity {
  /** Keys of different operations never meet: `bulkfill.export`, `subscribers.import`, `ingest:<partner>` … */
  readonly scope: string;
  readonly key: string;
  readonly windowSeconds: number;
  /** Digest of the body as far as it counts; null where the policy does not compare bodies. */
  readonly bodyDigest: Buffer | null;
  /** Digest of each named part, so that a conflict can say what differs. */
  readonly bodyParts?: Readonly<Record<string, string>>;
}

export type Taken =
  | { readonly outcome: 'replay'; readonly record: RequestKeyRecord }
  | {
      readonly outcome: 'mismatch';
      readonly record: RequestKeyRecord;
      readonly differsIn: readonly string[];
    };

/** Undefined: the key is ours now. Otherwise what it already stands for. */
export async function claimOrFind(
  tx: Tx,
  accountId: string,
  identity: RequestIdentity,
  jobId: string | null,
  now: Date,
): Promise<Taken | undefined> {
  if (await claimRequestKey(tx, toClaim(accountId, identity, jobId, now))) return undefined;
  return findTaken(tx, accountId, identity, now);
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

/** What a key that could not be claimed stands for. */
export async function findTaken(
  tx: Tx,
  accountId: string,
  identity: RequestIdentity,
  now: Date,
): Promise<Taken> {
  const record = await findRequestKey(tx, accountId, identity.scope, identity.key, now);
  if (record === undefined) throw new Error('bug: a key was taken, but by nobody');
  return compare(record, identity);
}

/** The replay rule: same body, the same request; other body, a conflict; no digest, never compared. */
export function compare(
  record: RequestKeyRecord,
  identity: Pick<RequestIdentity, 'bodyDigest' | 'bodyParts'>,
): Taken {
  const same =
    identity.bodyDigest === null ||
    record.body_digest === null ||
    record.body_digest.equals(identity.bodyDigest);
  if (same) return { outcome: 'replay', record };
  const before = (record.body_parts ?? {}) as Record<string, string>;
  const after = identity.bodyParts ?? {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return { outcome: 'mismatch', record, differsIn: names.filter((name) => before[name] !== after[name]) };
}
