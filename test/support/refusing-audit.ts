import { sql } from 'kysely';
import type { Database } from '#storage/database.ts';
import { openDatabase } from '#storage/database.ts';

/** Tables that a rejected request may write: counters, caches, last requests, and files before a job refers to them. */
const INCIDENTAL = [
  'rate_limits',
  'nodes',
  'blobs',
  'data_keys',
  'prepared_bases',
  'operator_sessions',
  'operators',
  'operator_actions',
  // A partner is created by the first request that names it.
  'ingest_partners',
  'audit_marks',
];

/** Makes the audit log of a server reject entries, and reads whether anything was stored. */
export class RefusingAudit {
  readonly #database: Database;

  constructor(url: string) {
    this.#database = openDatabase({ url }, 2, () => {});
  }

  async prepare(): Promise<void> {
    const run = (text: string) => sql.raw(text).execute(this.#database.db);
    await run(`create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'no entry today'; end $$`);
    await run(
      'create trigger refuse before insert on operator_actions for each row execute function refuse_entry()',
    );
    await this.set('accepts');
  }

  async set(state: 'accepts' | 'refuses'): Promise<void> {
    const word = state === 'refuses' ? 'enable' : 'disable';
    await sql.raw(`alter table operator_actions ${word} trigger refuse`).execute(this.#database.db);
  }

  /** A digest of everything that is stored. Of people and sessions, only what a change could be. */
  async digest(): Promise<string> {
    const { db } = this.#database;
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
    const parts: string[] = [];
    for (const { name } of tables.filter((table) => !INCIDENTAL.includes(table.name)))
      parts.push(await this.#digestOf(`select t::text as line from ${name} t`));
    parts.push(
      await this.#digestOf('select id::text || role || (removed_at is null)::text as line from operators'),
    );
    parts.push(await this.#digestOf('select id::text as line from operator_sessions'));
    return parts.join(' ');
  }

  /** The number of the newest entry. */
  async lastEntry(): Promise<number> {
    const { rows } = await sql<{
      seq: number;
    }>`select seq from operator_actions order by seq desc limit 1`.execute(this.#database.db);
    return rows[0]?.seq ?? 0;
  }

  async #digestOf(query: string): Promise<string> {
    const { rows } = await sql
      .raw<{ digest: string }>(
        `select md5(coalesce(string_agg(line, ',' order by line), '')) as digest from (${query}) q`,
      )
      .execute(this.#database.db);
    return rows[0]?.digest ?? '';
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
