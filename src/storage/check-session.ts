import type pg from 'pg';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { connectClient, type DatabaseAddress } from './database.ts';

/** Three rounds of two statements stay below 5 s, even if each takes this long. */
const ANSWER_MS = 700;
/** A pooler that hands out its connections in turn may give a session the same one by chance. */
const ROUNDS = 3;

/**
 * Checks that a connection keeps its session. A pooler in transaction mode runs each transaction on any of its
 * connections: the lock of the migrations would stay on one of them, and later starts would wait for it for an hour.
 */
export async function checkSession(address: DatabaseAddress): Promise<void> {
  const first = await connectClient(address);
  try {
    const pid = await backendOf(first);
    // A pooler makes up the process id that it sends to a client.
    if (pid === undefined || pid === (first as unknown as { processID: number }).processID) return;
    if (!(await losesSession(address, first, pid))) return;
  } finally {
    drop(first);
  }
  throw new OperatorError(
    'The database is behind a pooler in transaction mode, which cannot run migrations or LISTEN. ' +
      'Set ROWPRESS_DATABASE_DIRECT_URL to the address of the database server itself.',
  );
}

/** Reports whether the session moves to another connection while a second one is in a transaction. */
async function losesSession(address: DatabaseAddress, first: pg.Client, pid: number): Promise<boolean> {
  const second = await connectClient(address).catch(() => undefined);
  // In session mode, a pool without a free connection does not answer a second client.
  if (second === undefined) return false;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await within(second.query('begin'));
      const other = await backendOf(second);
      if (other === undefined) return false;
      if (other === pid || (await backendOf(first)) !== pid) return true;
      await within(second.query('rollback'));
    }
    return false;
  } finally {
    drop(second);
  }
}

/** Returns the process that runs the session's statements, or undefined if none answers in time. */
async function backendOf(client: pg.Client): Promise<number | undefined> {
  const answer = await within(client.query<{ pid: number }>('select pg_backend_pid() as pid'));
  return answer?.rows[0]?.pid;
}

async function within<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ANSWER_MS);
  });
  // The statement may still fail after its time, when the connection is dropped.
  answer.catch(() => {});
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Ends the connection without waiting for a statement that may never return. */
function drop(client: pg.Client): void {
  void client.end().catch(() => {});
}
