import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { json } from '../json.ts';

export interface NewAction {
  readonly id: string;
  readonly operatorId: string;
  readonly action: string;
  readonly accountId: string | null;
  readonly target: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly requestId: string;
  readonly at: Date;
}

export async function insertAction(db: Db, action: NewAction): Promise<void> {
  await db
    .insertInto('operator_actions')
    .values({
      id: action.id,
      operator_id: action.operatorId,
      action: action.action,
      account_id: action.accountId,
      target: action.target,
      details: action.details === null ? null : json(action.details),
      request_id: action.requestId,
      at: action.at,
    })
    .execute();
}

export interface ListedAction {
  readonly id: string;
  readonly operator_id: string;
  readonly operator_name: string;
  readonly action: string;
  readonly account_name: string | null;
  readonly target: string | null;
  readonly details: unknown;
  readonly request_id: string;
  readonly at: Date;
}

/** Newest first, one more than the limit. */
export async function listActions(
  db: Db,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<ListedAction[]> {
  const { rows } = await sql<ListedAction>`
    select a.id, a.operator_id, o.name as operator_name, a.action, c.name as account_name, a.target, a.details,
           a.request_id, a.at
    from operator_actions a join operators o on o.id = a.operator_id left join accounts c on c.id = a.account_id
    where ${page.before ?? null}::uuid is null or a.id < ${page.before ?? null}::uuid
    order by a.id desc limit ${page.limit + 1}`.execute(db);
  return rows;
}
