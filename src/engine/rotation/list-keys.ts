import type { Db } from '#storage/database.ts';
import { findMark, listReplacedKeys, type RotatedKind } from '#storage/installation.ts';

/** A key of the installation by its fingerprint. That of a seal key is its public key in hex. */
export interface ListedKey {
  readonly fingerprint: string;
  readonly state: 'current' | 'replaced' | 'retired';
  readonly replaced_at: string | null;
  readonly retired_at: string | null;
}

/** Lists the keys of one kind: the current one, then the replaced ones, the newest first. */
export async function listKeys(db: Db, kind: RotatedKind): Promise<ListedKey[]> {
  const current = await findMark(db, kind);
  const replaced = (await listReplacedKeys(db)).filter((key) => key.kind === kind);
  return [
    ...(current === undefined ? [] : [{ fingerprint: current, replaced_at: null, retired_at: null }]),
    ...replaced,
  ].map(({ fingerprint, replaced_at, retired_at }) => ({
    fingerprint,
    state: replaced_at === null ? 'current' : retired_at === null ? 'replaced' : 'retired',
    replaced_at: replaced_at?.toISOString() ?? null,
    retired_at: retired_at?.toISOString() ?? null,
  }));
}
