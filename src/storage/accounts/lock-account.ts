import type { Tx } from '../database.ts';

/** Makes whoever counts something of one account wait for the other who does. */
export async function lockAccount(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}
