import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { IngestWebhooks } from '../db-types.ts';

export type ReceiverRecord = Selectable<IngestWebhooks>;

/** Locks the partner, so that transactions that count its receivers run one after another. */
export async function lockReceivers(tx: Tx, partnerNo: number): Promise<void> {
  await sql`select from ingest_partners where no = ${partnerNo} for no key update`.execute(tx);
}

export async function insertReceiver(db: Db, receiver: Insertable<IngestWebhooks>): Promise<void> {
  await db.insertInto('ingest_webhooks').values(receiver).execute();
}

export function listReceivers(db: Db, partnerNo: number): Promise<ReceiverRecord[]> {
  return db
    .selectFrom('ingest_webhooks')
    .selectAll()
    .where('partner_no', '=', partnerNo)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
}

export async function findReceiver(
  db: Db,
  partnerNo: number,
  id: string,
): Promise<ReceiverRecord | undefined> {
  return (await listReceivers(db, partnerNo)).find((receiver) => receiver.id === id);
}

export function listReceiversOf(db: Db, partnerNo: number, event: string): Promise<ReceiverRecord[]> {
  return db
    .selectFrom('ingest_webhooks')
    .selectAll()
    .where('partner_no', '=', partnerNo)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`${event} = any(events)`)
    .orderBy('id')
    .execute();
}

/** Rotates the secret. The current one becomes the old one, which also signs until `oldUntil`. */
export async function rotateReceiverSecret(
  tx: Tx,
  id: string,
  secret: Buffer,
  oldUntil: Date,
): Promise<void> {
  await sql`
    update ingest_webhooks set old_secret = secret, old_until = ${oldUntil}, secret = ${secret} where id = ${id}`.execute(
    tx,
  );
}

export async function removeReceiver(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('ingest_webhooks').set({ removed_at: now }).where('id', '=', id).execute();
}
