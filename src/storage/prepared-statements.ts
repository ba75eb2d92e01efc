import { sql } from 'kysely';
import type pg from 'pg';

const MARK = '/* prepared */';

/**
 * A statement that begins with this is parsed and planned once per connection instead of once per call. Its text must be one of few: every text stays in the server's memory
 * as long as the connection. Not for statements whose best plan depends on the values.
 */
export const prepared = sql.raw(MARK);

/** The server keeps the columns of a prepared statement; a migration may have changed them under us. */
const CACHED_PLAN_CHANGED = '0A000';

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown;

const names = new Map<string, string>();
let generation = 0;

/** Should texts turn out to be many after all, the rest is sent as ever. */
const MAX_NAMES = 200;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `rp${generation}-${names.size}`;
  names.set(text, name);
  return name;
}

/** Marks the text of a library's statement; several in one text cannot be prepared and stay as they are. */
export function markPrepared(text: string): string {
  return /^\s*(with|select|insert|update|delete)\b[^;]*$/i.test(text) ? MARK + text : text;
}

/** Teaches a connection the mark. Not where a pooler may stand between: the next statement could meet another session. */
export function prepareMarked(client: pg.ClientBase): void {
  const query = client.query.bind(client) as Query;
  const marked: Query = (text, values, callback) => {
    const name = typeof text === 'string' && text.startsWith(MARK) ? nameOf(text) : undefined;
    if (name === undefined) return query(text, values, callback);
    if (typeof callback === 'function')
      return query({ name, text, values }, (error: { code?: string } | undefined, result: unknown) => {
        forgetChanged(error);
        callback(error, result);
      });
    const running = query({ name, text, values }) as Promise<unknown>;
    return running.catch((error: { code?: string }) => {
      forgetChanged(error);
      throw error;
    });
  };
  client.query = marked as typeof client.query;
}

/** This one has failed; the next is prepared anew, under a name that no connection knows. */
function forgetChanged(error: { code?: string } | undefined): void {
  if (error?.code !== CACHED_PLAN_CHANGED) return;
  names.clear();
  generation += 1;
}
