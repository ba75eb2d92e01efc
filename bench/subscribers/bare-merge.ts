import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

export interface Person {
  readonly email: string;
  readonly name: string;
}

/**
 * Writes the rows with the minimum of work: COPY to a temporary table and one merge, in one transaction, with no
 * validation, counts, fences or resumption.
 */
export async function bareCopyAndMerge(
  pool: pg.Pool,
  accountId: string,
  people: readonly Person[],
): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      'create temp table staged (id uuid, email text, email_key text, name text) on commit drop',
    );
    const lines = function* () {
      for (let from = 0; from < people.length; from += 1_000)
        yield people
          .slice(from, from + 1_000)
          .map(({ email, name }) => `${randomUUID()}\t${email}\t${email.toLowerCase()}\t${name}\n`)
          .join('');
    };
    await pipeline(Readable.from(lines()), client.query(copyFrom('copy staged from stdin')));
    const { rowCount } = await client.query(
      `insert into subscribers as s (id, account_id, email, email_key, name, status, subscribed_at, created_at, updated_at)
       select id, $1, email, email_key, name, 'Active', now(), now(), now() from staged order by email_key
       on conflict (account_id, email_key) do update set name = excluded.name, updated_at = excluded.updated_at
       where s.name <> excluded.name`,
      [accountId],
    );
    await client.query('commit');
    return rowCount ?? 0;
  } finally {
    client.release();
  }
}
