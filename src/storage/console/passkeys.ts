import type { Selectable } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { Passkeys } from '../db-types.ts';

export type PasskeyRecord = Selectable<Passkeys>;

export interface NewPasskey {
  readonly id: string;
  readonly operatorId: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly rpId: string;
  readonly name: string;
  readonly now: Date;
}

/**
 * Stores a passkey of a person who has not been removed and has fewer than `atMost`. Locks the person, so that concurrent calls count each
 * other. The lock does not block entries of the audit log (`operators.ts`).
 */
export async function insertPasskey(
  tx: Tx,
  passkey: NewPasskey,
  atMost: number,
): Promise<'added' | 'removed-person' | 'too-many' | 'exists'> {
  const { id, operatorId, credentialId, publicKey, counter, transports, rpId, name, now } = passkey;
  const person = await tx
    .selectFrom('operators')
    .select('id')
    .where('id', '=', operatorId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (person === undefined) return 'removed-person';
  if ((await findPasskeysOf(tx, operatorId)).length >= atMost) return 'too-many';
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('passkeys')
    .values({
      id,
      operator_id: operatorId,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      transports: [...transports],
      rp_id: rpId,
      name,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n ? 'added' : 'exists';
}

export function findPasskeysOf(db: Db | Tx, operatorId: string): Promise<PasskeyRecord[]> {
  return db.selectFrom('passkeys').selectAll().where('operator_id', '=', operatorId).execute();
}

export function findPasskey(db: Db, credentialId: Buffer): Promise<PasskeyRecord | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

export interface ListedPasskey {
  readonly id: string;
  readonly operator_id: string;
  readonly operator_name: string;
  readonly name: string;
  readonly rp_id: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/** Lists the passkeys of one person, or of all people who have not been removed, by person and then in the order of creation. */
export function listPasskeys(db: Db | Tx, operatorId?: string): Promise<ListedPasskey[]> {
  return db
    .selectFrom('passkeys as p')
    .innerJoin('operators as o', 'o.id', 'p.operator_id')
    .select(['p.id', 'p.operator_id', 'o.name as operator_name', 'p.name', 'p.rp_id'])
    .select(['p.created_at', 'p.last_used_at'])
    .where('o.removed_at', 'is', null)
    .$if(operatorId !== undefined, (query) => query.where('p.operator_id', '=', operatorId ?? ''))
    .orderBy('o.created_at')
    .orderBy('o.id')
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute();
}

/**
 * Stores a use. Returns false if the passkey is gone, or if its counter is not above the stored one: then a copy of the passkey was used
 * meanwhile. Authenticators without a counter always report 0.
 */
export async function notePasskeyUse(
  tx: Tx,
  id: string,
  { counter, now }: { readonly counter: number; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where((passkey) =>
      passkey.or([
        passkey('counter', '<', counter),
        passkey.and([passkey('counter', '=', 0), passkey.lit(counter === 0)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Renames a passkey of this person. Returns false if there is none. */
export async function renamePasskey(tx: Tx, id: string, operatorId: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes a passkey, with `operatorId` only one of this person. Returns what was deleted. */
export function deletePasskey(
  tx: Tx,
  id: string,
  operatorId?: string,
): Promise<{ readonly operator_id: string; readonly name: string } | undefined> {
  return tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .$if(operatorId !== undefined, (query) => query.where('operator_id', '=', operatorId ?? ''))
    .returning(['operator_id', 'name'])
    .executeTakeFirst();
}
