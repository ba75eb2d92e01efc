import type { Db } from './database.ts';

/** Stores `value` under `name` if the name is new, and returns the stored value. Concurrent nodes get the same one. */
export async function claimMark(db: Db, name: string, value: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const kept = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return kept.value;
}

export type RotatedKind = 'secret_key' | 'seal_key';

export interface ReplacedKey {
  readonly kind: RotatedKind;
  readonly fingerprint: string;
  readonly replaced_at: Date;
  readonly retired_at: Date | null;
}

/** Returns the newest first. */
export async function listReplacedKeys(db: Db): Promise<ReplacedKey[]> {
  const rows = await db.selectFrom('replaced_keys').selectAll().orderBy('replaced_at', 'desc').execute();
  return rows.map((row) => ({ ...row, kind: row.kind as RotatedKind }));
}

/** Returns undefined if no node has joined yet. */
export async function findMark(db: Db, kind: RotatedKind): Promise<string | undefined> {
  const kept = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', kind)
    .executeTakeFirst();
  return kept?.value;
}

/**
 * Locks the mark of this kind until the transaction ends, so that rotations of one installation run one after another.
 * Returns undefined if no node has joined yet.
 */
export async function lockMark(tx: Db, kind: RotatedKind): Promise<string | undefined> {
  const kept = await tx
    .selectFrom('installation')
    .select('value')
    .where('name', '=', kind)
    .forUpdate()
    .executeTakeFirst();
  return kept?.value;
}

/** Returns the mark of this kind. No rotation changes it until the transaction ends. */
export async function holdMark(tx: Db, kind: RotatedKind): Promise<string | undefined> {
  const kept = await tx
    .selectFrom('installation')
    .select('value')
    .where('name', '=', kind)
    .forShare()
    .executeTakeFirst();
  return kept?.value;
}

/** Makes `to` the current key of the installation and records the replaced one. */
export async function replaceMark(
  tx: Db,
  kind: RotatedKind,
  change: { readonly from: string; readonly to: string; readonly now: Date },
): Promise<void> {
  await tx.updateTable('installation').set({ value: change.to }).where('name', '=', kind).execute();
  const replaced = { kind, fingerprint: change.from, replaced_at: change.now, retired_at: null };
  await tx
    .insertInto('replaced_keys')
    .values(replaced)
    .onConflict((conflict) => conflict.columns(['kind', 'fingerprint']).doUpdateSet(replaced))
    .execute();
  await tx
    .deleteFrom('replaced_keys')
    .where('kind', '=', kind)
    .where('fingerprint', '=', change.to)
    .execute();
}

export async function markRetired(tx: Db, kind: RotatedKind, fingerprint: string, now: Date): Promise<void> {
  await tx
    .updateTable('replaced_keys')
    .set({ retired_at: now })
    .where('kind', '=', kind)
    .where('fingerprint', '=', fingerprint)
    .execute();
}
