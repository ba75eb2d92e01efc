import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { SurroundingsError } from './errors/surroundings-error.ts';

/**
 * Structured logs with an allow-list: only the members listed here are written, whatever a caller passes. A deny-list would have to list
 * every secret in advance. With this table a row value, a header or a query string cannot be logged by mistake.
 */
const LOGGED = new Set([
  'requestId',
  'surface',
  'account',
  'keyId',
  'address',
  'reason',
  'days',
  'method',
  'route',
  'status',
  'code',
  'fault',
  'durationMs',
  'bytes',
  'count',
  'jobId',
  'kind',
  'state',
  'slice',
  'attempt',
  'queue',
  'deliveryId',
  'eventId',
  'outcome',
  'role',
  'host',
  'port',
  'signal',
  'pid',
  'version',
  'migration',
  'faultPoint',
  'err',
]);

export type Log = Logger;

export interface LoggerOptions {
  readonly level: string;
  /** Writes readable lines for people instead of one JSON object per line. */
  readonly pretty: boolean;
  readonly destination?: DestinationStream;
}

export function createLogger({ level, pretty: readable, destination }: LoggerOptions): Log {
  const target =
    destination ?? (readable ? pretty({ ignore: 'pid,hostname', sync: true }) : pino.destination(1));
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: onlyLogged },
      serializers: { err: describeError },
      hooks: { logMethod: neverTheErrorsOwnMessage },
    },
    target,
  );
  // Children inherit from the root object, but not its `bindings` formatter.
  const { child } = log;
  const value = function (this: Log, bindings: Record<string, unknown>, options?: object) {
    return Reflect.apply(child, this, [onlyLogged(bindings), options]);
  };
  Object.defineProperty(log, 'child', { value });
  return log;
}

function onlyLogged(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => LOGGED.has(name)));
}

/** Without a message, pino would write that of the error, which may contain input. */
function neverTheErrorsOwnMessage(
  this: Logger,
  args: unknown[],
  method: (this: Logger, ...args: never[]) => void,
): void {
  const [first, second] = args;
  const hasError = first instanceof Error || (typeof first === 'object' && first !== null && 'err' in first);
  const safe = hasError && typeof second !== 'string' ? [first, 'error'] : args;
  method.apply(this, safe as never[]);
}

interface DescribedError {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  readonly where?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

/**
 * Returns the message of an error if it cannot contain input: our own `bug: …`, those of adapters, system errors, and TypeErrors of the
 * engine. Messages of database and parser errors contain values ("Key (email)=(…) already exists").
 */
function describeError(thrown: unknown): DescribedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const fields = thrown as Error & {
    code?: unknown;
    syscall?: unknown;
    table?: unknown;
    constraint?: unknown;
  };
  const code = typeof fields.code === 'string' ? fields.code : undefined;
  const where = [fields.table, fields.constraint].filter((part) => typeof part === 'string').join('.');
  const frames = thrown.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: thrown.name,
    ...(code !== undefined && { code }),
    ...(isSafeMessage(thrown, code, fields.syscall) && { message: thrown.message }),
    ...(where !== '' && { where }),
    ...(frames !== undefined && { stack: frames.join('\n') }),
    ...(thrown.cause !== undefined && { cause: describeError(thrown.cause) }),
  };
}

function isSafeMessage(thrown: Error, code: string | undefined, syscall: unknown): boolean {
  if (thrown.message.startsWith('bug: ') || thrown instanceof SurroundingsError) return true;
  if (typeof syscall === 'string') return true;
  return code === undefined && (thrown instanceof TypeError || thrown instanceof ReferenceError);
}
