import { sql } from 'kysely';
import type pg from 'pg';

const MARK = '/* prepared */';

/**
 * Marks a statement that is parsed and planned once per connection instead of once per call. Use it for a fixed set of
 * texts only: the server keeps every text in memory until the connection ends. Do not use it if the best plan depends
 * on the values.
 */
export const prepared = sql.raw(MARK);

/**
 * Every column of a table, for prepared statements: they must not return `*`, whose columns change with a migration. The
 * compiler checks that none is missing. `alias`: the table's name in the statement.
 */
export function everyColumn<Table>(columns: Readonly<Record<keyof Table & string, true>>) {
  const names = Object.keys(columns);
  return (alias?: string): string =>
    names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(', ');
}

/** The server caches the result columns of a prepared statement; a migration may have changed them since. */
const CACHED_PLAN_CHANGED = '0A000';

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown;

const names = new Map<string, string>();
let generation = 0;

/** Maximum number of named texts. Further texts are sent unprepared. */
const MAX_NAMES = 200;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `rp${generation}-${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * Marks the text of a library's statement. A text with several statements cannot be prepared and is returned unchanged.
 */
export function markPrepared(text: string): string {
  return /^\s*(with|select|insert|update|delete)\b[^;]*$/i.test(text) ? MARK + text : text;
}

const ALL_COLUMNS = /\.\*|\b(?:select|returning)\s+\*/i;
const INSERT_WITHOUT_RESULT = /^\/\* prepared \*\/\s*insert\b(?!.*\breturning\b)/is;

/**
 * Reports whether a migration cannot change the result columns of a statement. Another node can migrate at any time, and
 * a prepared statement whose columns changed fails once, with the request that sent it.
 */
function hasFixedResult(text: string): boolean {
  return INSERT_WITHOUT_RESULT.test(text) || !ALL_COLUMNS.test(text);
}

/**
 * Makes a connection prepare marked statements. Not for connections through a pooler: the next statement could run in
 * another session.
 */
export function prepareMarked(client: pg.ClientBase): void {
  prepareSome(client, () => true);
}

function prepareSome(client: pg.ClientBase, may: (text: string) => boolean): void {
  const query = client.query.bind(client) as Query;
  const marked: Query = (text, values, callback) => {
    const name = typeof text === 'string' && text.startsWith(MARK) && may(text) ? nameOf(text) : undefined;
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

/**
 * Makes a connection prepare marked statements with named result columns, unless it leads through a pooler: a pooler
 * makes up the process id that it sends to a client. Statements sent before the answer are not prepared.
 */
export async function prepareMarkedWithoutPooler(client: pg.ClientBase): Promise<void> {
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (rows[0]?.pid === (client as unknown as { processID: number }).processID)
      prepareSome(client, hasFixedResult);
  } catch {
    // The connection broke; its next statement reports that.
  }
}

/**
 * Drops all names after a changed plan. The current statement has failed; the next one is prepared under a new name.
 */
function forgetChanged(error: { code?: string } | undefined): void {
  if (error?.code !== CACHED_PLAN_CHANGED) return;
  names.clear();
  generation += 1;
}
