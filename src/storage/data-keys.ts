import { sql } from 'kysely';
import type { Db } from './database.ts';
import { holdMark } from './installation.ts';

export interface DataKeyRecord {
  readonly id: string;
  readonly sealed: Buffer;
}

/**
 * The data key of the account; the given one becomes it if there is none. Two nodes at once agree on one. `offered`
 * receives the fingerprint of the secret that the installation uses. No rotation replaces that secret before the key is
 * stored, so a rotation either finds the key and seals it again, or has changed the fingerprint.
 */
export async function ensureDataKey(
  db: Db,
  accountId: string,
  offered: (secret: string | undefined) => DataKeyRecord & { readonly now: Date },
): Promise<DataKeyRecord> {
  const known = await findOfAccount(db, accountId);
  if (known !== undefined) return known;
  return db.transaction().execute(async (tx) => {
    const { id, sealed, now } = offered(await holdMark(tx, 'secret_key'));
    await sql`
      insert into data_keys (id, account_id, sealed, created_at) values (${id}, ${accountId}, ${sealed}, ${now})
      on conflict (account_id) do nothing`.execute(tx);
    const kept = await findOfAccount(tx, accountId);
    if (kept === undefined) throw new Error('bug: a data key was stored and cannot be found');
    return kept;
  });
}

function findOfAccount(db: Db, accountId: string): Promise<DataKeyRecord | undefined> {
  return db
    .selectFrom('data_keys')
    .select(['id', 'sealed'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

export function findDataKey(db: Db, id: string): Promise<DataKeyRecord | undefined> {
  return db.selectFrom('data_keys').select(['id', 'sealed']).where('id', '=', id).executeTakeFirst();
}
