import { finished, type Writable } from 'node:stream';
import type pg from 'pg';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { isForeground } from '#lib/foreground.ts';

/** Waiting for a connection takes at most 5 s (database.ts), so a request ends within 15 s. */
const STATEMENT_MS = 9_000;
const COMMIT_MS = 8_000;
/** After this time a write is suspicious, and a tiny one checks whether the database confirms writes at all. */
const SLOW_MS = 2_000;

/** SQLSTATE read_only_sql_transaction: the server has become a standby. */
const READ_ONLY = '25006';

/**
 * The function of PostgreSQL that reports a cancelled wait for the synchronous standby. The text of the warning
 * depends on the language of the server, the name of the function does not.
 */
const CANCELLED_WAIT = 'SyncRepWaitForLSN';

export interface StatementGuard {
  /** True while the database does not confirm writes. */
  suspended(): boolean;
  /** Called if a write takes suspiciously long. */
  onSlowWrite(): void;
  /** Called if a connection must not be used again. */
  onSpent(client: pg.ClientBase, reason: Error): void;
}

type Callback = (error: Error | undefined, result?: unknown) => void;
type Query = (text: unknown, values?: unknown, callback?: Callback) => unknown;

/** What a statement does, as far as limits depend on it. */
type Effect = 'begin' | 'commit' | 'write' | 'none';

const BEGIN = /^(?:begin|start transaction[^;]*)$/i;
const WRITE = /\b(?:insert|update|delete|merge|create|alter|drop|truncate)\b/i;

function effectOf(text: string, client: pg.ClientBase): Effect {
  if (BEGIN.test(text)) return / read only/i.test(text) ? 'none' : 'begin';
  if (/^commit$/i.test(text)) return 'commit';
  // A statement outside a transaction commits by itself.
  return client.getTransactionStatus() === 'I' && WRITE.test(text) ? 'write' : 'none';
}

/**
 * Limits the time of the statements of a connection, and rejects writes at once while the database does not confirm
 * any. A statement that takes too long loses its connection and is not cancelled: cancelling the wait for a synchronous
 * standby would commit on the primary alone, and a replay of the request would then be acknowledged without a copy.
 */
export function guardStatements(client: pg.ClientBase, guard: StatementGuard): void {
  const query = client.query.bind(client) as Query;
  let waitCancelled = false;
  client.on('notice', (notice) => {
    if (notice.routine === CANCELLED_WAIT) waitCancelled = true;
  });

  const guarded = (statement: unknown, given?: unknown, last?: Callback): unknown => {
    const [values, callback] = typeof given === 'function' ? [undefined, given as Callback] : [given, last];
    // A COPY stream is its own response: the driver returns it instead of a promise.
    if (typeof (statement as { submit?: unknown }).submit === 'function') {
      const stream = query(statement, values, callback) as Writable;
      finished(stream, limit('none', isForeground()));
      return stream;
    }
    const text = typeof statement === 'string' ? statement : (statement as { text: string }).text;
    const effect = effectOf(text, client);
    if (guard.suspended() && (effect === 'begin' || effect === 'write'))
      return reject(callback, new SurroundingsError('unavailable', 'the database does not confirm writes'));
    const foreground = isForeground();
    waitCancelled = false;
    const stop = limit(effect, foreground);
    const end = (error: Error | undefined): Error | undefined => {
      stop();
      if ((error as { code?: string } | undefined)?.code === READ_ONLY) guard.onSpent(client, error as Error);
      if (error !== undefined || !waitCancelled) return error;
      return new SurroundingsError('unavailable', 'the commit did not wait for the synchronous standby');
    };
    // The server itself ends a statement of a transaction, so that no lock outlives its request.
    const sent =
      effect === 'begin' && foreground ? `${text}; set local statement_timeout = ${STATEMENT_MS}` : statement;
    if (typeof callback === 'function')
      return query(sent, values, (error, result) => callback(end(error ?? undefined), result));
    return (query(sent, values) as Promise<unknown>).then(
      (result) => {
        const problem = end(undefined);
        if (problem !== undefined) throw problem;
        return result;
      },
      (error: Error) => {
        throw end(error);
      },
    );
  };

  /** Starts the timer of a statement. Returns a function that stops it. */
  const limit = (effect: Effect, foreground: boolean): (() => void) => {
    if (effect === 'none' && !foreground) return () => {};
    const limitMs = effect === 'commit' || effect === 'write' ? COMMIT_MS : STATEMENT_MS;
    // A response that arrived while the process was busy is read before the connection is given up.
    const expire = () => setImmediate(() => setImmediate(giveUp));
    const giveUp = () => {
      if (isOver) return;
      // A long write of background work is ended only if the database confirms no writes.
      if (effect === 'write' && !foreground && !guard.suspended()) {
        timer = setTimeout(expire, SLOW_MS);
        return;
      }
      const seconds = limitMs / 1000;
      guard.onSpent(client, new Error(`the database did not respond within ${seconds} s`));
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    };
    const slow = () => {
      if (effect === 'commit' || effect === 'write') guard.onSlowWrite();
      timer = setTimeout(expire, limitMs - SLOW_MS);
    };
    let isOver = false;
    let timer = setTimeout(slow, SLOW_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  };

  client.query = guarded as typeof client.query;
}

function reject(callback: Callback | undefined, error: Error): unknown {
  if (typeof callback !== 'function') return Promise.reject(error);
  process.nextTick(callback, error);
  return undefined;
}
