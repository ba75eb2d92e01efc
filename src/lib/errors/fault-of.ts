import { SurroundingsError } from './surroundings-error.ts';

/**
 * Tells faults of the surroundings (the database is unavailable, the disk is full) from bugs, by the codes that
 * Node.js and PostgreSQL put on their errors, or by what an adapter says. A fault passes by itself, so it leaves as 503 with
 * `Retry-After`; a bug leaves as 500. Damaged data needs an operator and leaves as 500 with a code of its own.
 */
export type Fault = 'unavailable' | 'storageFull' | 'damaged';

/** System errors of a connection that could not be made or broke (errno(3)). */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);

/** SQLSTATE classes (PostgreSQL, appendix A) that a repeated request may survive. */
const SQL_AWAY = [
  '08', // connection exception
  '53', // insufficient resources: connections, memory
  '57014', // query canceled: the statement of a request took too long
  '55P03', // lock not available
  '57P', // operator intervention: shutdown, crash recovery, still starting
  '40001', // serialization failure
  '40P01', // deadlock
  '25006', // read-only: a standby answers while a failover is under way
];

/** `pg` gives no code to its own errors. */
const PG_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof SurroundingsError) return error.fault;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === '53100') return 'storageFull';
  if (code === 'DAMAGED_CHUNK') return 'damaged';
  if (AWAY.has(code)) return 'unavailable';
  // A unix socket that is not there: the server is down. A file that is not there is something else.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return 'unavailable';
  if ('severity' in error && SQL_AWAY.some((start) => code.startsWith(start))) return 'unavailable';
  if (code === '' && PG_MESSAGES.test(error.message)) return 'unavailable';
  // Happy-eyeballs connects and wrapping layers carry the reason inside.
  if (error instanceof AggregateError) return firstFault(error.errors);
  return error.cause === undefined ? undefined : faultOf(error.cause);
}

function firstFault(errors: readonly unknown[]): Fault | undefined {
  for (const error of errors) {
    const fault = faultOf(error);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
