import { sql } from 'kysely';
import type pg from 'pg';

const MARK = '/* prepared */';

/**
 * A statement that begins with this is parsed and planned once per connection instead of once per call, which for
 * the largest ones is most of what they cost. Its text must be one of few: every text stays in the server's memory
 * as long as the connection. Not for statements whose best plan depends on the values.
 */
export const prepared = sql.raw(MARK);

/** The server keeps the columns of a prepared statement; a migration may have changed them under us. */
const CACHED_PLAN_CHANGED = '0A000';

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown;

const names = new Map<string, string>();
let generation = 0;

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `rp${generation}-${names.size}`;
  names.set(text, name);
  return name;
}

/** Teaches a connection the mark. Not where a pooler may stand between: the next statement could meet another session. */
export function prepareMarked(client: pg.ClientBase): void {
  const query = client.query.bind(client) as Query;
  const marked: Query = (text, values, callback) => {
    if (typeof text !== 'string' || !text.startsWith(MARK) || callback !== undefined)
      return query(text, values, callback);
    const running = query({ name: nameOf(text), text, values }) as Promise<unknown>;
    return running.catch((error: { code?: string }) => {
      if (error.code === CACHED_PLAN_CHANGED) {
        // This one has failed; the next is prepared anew, under a name that no connection knows.
        names.clear();
        generation += 1;
      }
      throw error;
    });
  };
  client.query = marked as typeof client.query;
}
