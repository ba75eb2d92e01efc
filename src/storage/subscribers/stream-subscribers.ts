import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { type Selection, selected } from './selection.ts';
import { type SubscriberRecord, subscriberColumns } from './subscriber-record.ts';

/** Few enough that a batch is garbage before the next one has come: memory stays flat. */
const BATCH = 500;

/**
 * All people of a selection, newest first, as they are at one moment: a cursor inside a read-only transaction
 * shows its snapshot however long the reading takes, and holds one batch in memory.
 */
export async function* streamSubscribers(
  db: Db,
  accountId: string,
  selection: Selection,
  now: Date,
): AsyncGenerator<readonly SubscriberRecord[]> {
  const tx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    // A cursor takes no parameters after it was declared; these go in with the declaration.
    await sql`
      declare people no scroll cursor for
      select ${subscriberColumns} from subscribers s where ${selected(accountId, selection, now)}
      order by s.created_at desc, s.id desc`.execute(tx);
    for (;;) {
      const { rows } =
        await sql<SubscriberRecord>`fetch forward ${sql.raw(String(BATCH))} from people`.execute(tx);
      if (rows.length === 0) break;
      yield rows;
      if (rows.length < BATCH) break;
    }
  } finally {
    await tx.rollback().execute();
  }
}
