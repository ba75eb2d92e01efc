import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Position } from './position.ts';
import { type Selection, selected } from './selection.ts';
import { type SubscriberRecord, subscriberColumns } from './subscriber-record.ts';

/** Newest first; one row more than `limit`, so that the caller knows whether there is another page. */
export async function listSubscribers(
  db: Db,
  accountId: string,
  selection: Selection,
  page: { readonly limit: number; readonly after: Position | undefined },
  now: Date,
): Promise<SubscriberRecord[]> {
  const { after } = page;
  const beyond =
    after === undefined ? sql`true` : sql`(s.created_at, s.id) < (${after.createdAt}, ${after.id})`;
  const { rows } = await sql<SubscriberRecord>`
    select ${subscriberColumns} from subscribers s
    where ${selected(accountId, selection, now)} and ${beyond}
    order by s.created_at desc, s.id desc limit ${page.limit + 1}`.execute(db);
  return rows;
}

export async function findSubscriber(
  db: Db,
  accountId: string,
  id: string,
): Promise<SubscriberRecord | undefined> {
  const { rows } = await sql<SubscriberRecord>`
    select ${subscriberColumns} from subscribers s where s.id = ${id} and s.account_id = ${accountId}`.execute(
    db,
  );
  return rows[0];
}
