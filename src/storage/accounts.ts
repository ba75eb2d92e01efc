import { type Selectable, sql } from 'kysely';
import { isUuid } from '#lib/ids.ts';
import type { Db, Tx } from './database.ts';
import type { Accounts } from './db-types.ts';

export type AccountRecord = Selectable<Accounts>;

/** Returns the account with this name and creates it if it does not exist. Concurrent callers get the same account. */
export async function ensureAccount(
  db: Db,
  account: { readonly id: string; readonly name: string; readonly plan: string; readonly now: Date },
): Promise<AccountRecord> {
  const { id, name, plan, now } = account;
  await db
    .insertInto('accounts')
    .values({ id, name, plan, created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return db.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
}

/**
 * Creates the account if the installation has none. Returns false if there is any account. The lock waits for accounts
 * that are being created and blocks others until this one is committed, so that concurrent callers create one account.
 * `alongside` commits with it.
 */
export function createFirstAccount(
  db: Db,
  account: { readonly id: string; readonly name: string; readonly plan: string; readonly now: Date },
  alongside: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const { id, name, plan, now } = account;
  return db.transaction().execute(async (tx) => {
    await sql`lock table accounts in share row exclusive mode`.execute(tx);
    const any = await tx.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
    if (any !== undefined) return false;
    await tx.insertInto('accounts').values({ id, name, plan, created_at: now }).execute();
    await alongside(tx);
    return true;
  });
}

export function findAccount(db: Db, id: string) {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds an account by name, then by id. A name that looks like a UUID is matched as a name first. */
export async function findAccountNamed(db: Db, nameOrId: string): Promise<AccountRecord | undefined> {
  const named = await db.selectFrom('accounts').selectAll().where('name', '=', nameOrId).executeTakeFirst();
  return named ?? (isUuid(nameOrId) ? findAccount(db, nameOrId) : undefined);
}

export function listAccounts(db: Db): Promise<AccountRecord[]> {
  return db.selectFrom('accounts').selectAll().orderBy('name').execute();
}

/** Returns undefined if no account has this name. */
export function updateAccount(
  db: Db,
  name: string,
  change: { readonly plan?: string; readonly active?: boolean },
): Promise<AccountRecord | undefined> {
  return db
    .updateTable('accounts')
    .set({ name, ...change })
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirst();
}

/** Locks the account row, so that transactions that count something per account run one after another. */
export async function lockAccount(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

export interface StoredByAccount {
  readonly plan: string;
  readonly bytes: number;
}

/** Returns the bytes that an account stores: inputs and outputs of its jobs, its projects and their drafts, and uploads not yet imported. */
export async function measureAccount(db: Db, accountId: string): Promise<StoredByAccount | undefined> {
  const { rows } = await sql<{ plan: string; bytes: string }>`
    select plan, (
      select coalesce(sum(size_bytes), 0) from blobs where digest in (
        select digest from blob_refs join jobs on jobs.id = blob_refs.job_id where jobs.account_id = accounts.id
        union
        select digest from blob_refs join projects on projects.id = blob_refs.project_id
        where projects.account_id = accounts.id
        union
        select source ->> 'digest' from subscriber_uploads where account_id = accounts.id and source is not null
      )
    ) + (
      select coalesce(sum(pg_column_size(content) + pg_column_size(assets)), 0) from project_drafts
      where account_id = accounts.id
    ) as bytes from accounts where id = ${accountId}`.execute(db);
  return rows[0] && { plan: rows[0].plan, bytes: Number(rows[0].bytes) };
}
