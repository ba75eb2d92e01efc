import type { Db } from '../database.ts';
import type { AccountRecord } from './ensure-account.ts';

export function listAccounts(db: Db): Promise<AccountRecord[]> {
  return db.selectFrom('accounts').selectAll().orderBy('name').execute();
}
