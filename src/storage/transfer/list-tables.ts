import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** A table of ours as a copy sees it. */
export interface TransferTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Our tables with the columns that can be written, in an order in which a table comes after those it refers
 * to. Left out are what migrations keep about themselves and unlogged tables, whose loss is harmless by design.
 */
export async function listTables(db: Db): Promise<TransferTable[]> {
  const { rows: tables } = await sql<TransferTable>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and c.relname not like 'kysely\\_%'
    group by c.relname order by c.relname`.execute(db);
  const { rows: references } = await sql<{ from: string; to: string }>`
    select f.relname as from, t.relname as to
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and f.oid <> t.oid`.execute(db);
  return inOrder(tables, references);
}

function inOrder(
  tables: readonly TransferTable[],
  references: readonly { readonly from: string; readonly to: string }[],
): TransferTable[] {
  const ordered: TransferTable[] = [];
  const placed = new Set<string>();
  let waiting = [...tables];
  while (waiting.length > 0) {
    const free = waiting.filter(({ name }) =>
      references.every(({ from, to }) => from !== name || placed.has(to)),
    );
    if (free.length === 0) throw new Error('bug: tables refer to each other in a circle');
    for (const table of free) placed.add(table.name);
    ordered.push(...free);
    waiting = waiting.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}
