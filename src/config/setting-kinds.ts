import { readFileSync } from 'node:fs';
import { hostsProblem, splitHosts } from '#lib/database-hosts.ts';
import { BadValue } from './bad-value.ts';
import { KEY_32, splitList } from './parse-values.ts';

/** The longest timer of Node.js. A longer one would fire immediately. */
export const LONGEST_MS = 2 ** 31 - 1;
/** A hundred years. Much more does not fit into a date. */
export const LONGEST_SECONDS = 3_153_600_000;

/** One line of the table in settings.ts. `parse` throws a BadValue. An empty default means that there is none. */
export interface Setting<T> {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
  readonly secret: boolean;
  /** The accepted values, for the reference. */
  readonly accepts?: string;
  /** How the default is computed if it depends on the machine. */
  readonly computed?: string;
  parse(text: string): T;
}

export function text(name: string, fallback: string, meaning: string): Setting<string> {
  return { name, default: fallback, meaning, secret: false, parse: (value) => value };
}

export function secret(name: string, meaning: string): Setting<string | undefined> {
  return { name, default: '', meaning, secret: true, parse: (value) => value || undefined };
}

export function key32(name: string, meaning: string): Setting<string | undefined> {
  const parse = (value: string) => {
    if (value === '') return undefined;
    if (!KEY_32.test(value)) throw new BadValue('must be 32 bytes, as 64 hexadecimal digits or as base64');
    return value;
  };
  return { ...secret(name, meaning), accepts: '32 bytes, hex or base64', parse };
}

export function keys32(name: string, meaning: string): Setting<string[]> {
  const parse = (value: string) => {
    const keys = splitList(value);
    if (!keys.every((key) => KEY_32.test(key)))
      throw new BadValue(
        'must be a comma-separated list of 32 bytes each, as 64 hexadecimal digits or as base64',
      );
    return keys;
  };
  return { ...secret(name, meaning), accepts: 'comma-separated', parse };
}

/** A file that is read later. Whether it is readable is checked at start. */
export function file(name: string, meaning: string): Setting<string | undefined> {
  const parse = (value: string) => {
    try {
      if (value !== '') readFileSync(value);
    } catch (error) {
      throw new BadValue(`must be a readable file (${(error as NodeJS.ErrnoException).code})`);
    }
    return value || undefined;
  };
  return { ...optional(name, meaning), accepts: 'path of a readable file', parse };
}

/** Secret, because it usually contains a password. */
export function databaseAddress(name: string, meaning: string): Setting<string | undefined> {
  const parse = (value: string) => {
    if (value !== '' && !/^postgres(ql)?:\/\//.test(value))
      throw new BadValue('must start with postgres:// or postgresql://');
    const problem = hostsProblem(value);
    if (problem !== undefined) throw new BadValue(problem);
    return value || undefined;
  };
  return { ...secret(name, meaning), accepts: 'postgres://…', parse };
}

/** One server: a list would lead to the primary. A proxy can stand in front of several standbys. */
export function replicaAddress(name: string, meaning: string): Setting<string | undefined> {
  const setting = databaseAddress(name, meaning);
  const parse = (value: string) => {
    if (/[?&](target_session_attrs|load_balance_hosts)=/.test(value))
      throw new BadValue('must not contain target_session_attrs or load_balance_hosts');
    const url = setting.parse(value);
    if (url !== undefined && splitHosts(url).length > 1)
      throw new BadValue('must name one server; use a proxy for several');
    return url;
  };
  return { ...setting, parse };
}

export function optional(name: string, meaning: string): Setting<string | undefined> {
  return { name, default: '', meaning, secret: false, parse: (value) => value || undefined };
}

export function integer(
  name: string,
  fallback: number,
  meaning: string,
  min = 1,
  max = Number.MAX_SAFE_INTEGER,
): Setting<number> {
  const parse = (value: string) => {
    const n = Number(value);
    if (!/^\d+$/.test(value) || n < min || n > max)
      throw new BadValue(`must be an integer from ${min} to ${max}`);
    return n;
  };
  const most = max >= LONGEST_MS ? '' : ` to ${max}`;
  const accepts = `integer${min > 0 || most !== '' ? `, ${min}${most === '' ? ' or more' : most}` : ''}`;
  return { name, default: String(fallback), meaning, secret: false, accepts, parse };
}

export function boolean(name: string, fallback: boolean, meaning: string): Setting<boolean> {
  return {
    ...choice(name, ['true', 'false'], String(fallback), meaning),
    parse: (value) => oneOf(['true', 'false'], value) === 'true',
  };
}

function oneOf<T extends string>(allowed: readonly T[], value: string): T {
  const found = allowed.find((option) => option === value);
  if (found === undefined) throw new BadValue(`must be one of ${allowed.join(', ')}`);
  return found;
}

export function choice<T extends string>(
  name: string,
  allowed: readonly T[],
  fallback: NoInfer<T>,
  meaning: string,
): Setting<T> {
  return {
    name,
    default: fallback,
    meaning,
    secret: false,
    accepts: allowed.join(', '),
    parse: (value) => oneOf(allowed, value),
  };
}

export function list(name: string, meaning: string): Setting<string[]> {
  return { name, default: '', meaning, secret: false, accepts: 'comma-separated', parse: splitList };
}

/** A year: longer than any useful retry, and far below the limit of dates. */
const LONGEST_RETRY_SECONDS = 31_536_000;

export function seconds(name: string, fallback: string, meaning: string): Setting<number[]> {
  const parse = (value: string) => {
    const offsets = value.split(',').map(Number);
    const rising = offsets.every(
      (n, i) => Number.isInteger(n) && n >= (offsets[i - 1] ?? 0) && n <= LONGEST_RETRY_SECONDS,
    );
    if (!rising)
      throw new BadValue('must be a comma-separated list of ascending whole seconds, up to a year');
    return offsets;
  };
  return { name, default: fallback, meaning, secret: false, accepts: 'comma-separated, ascending', parse };
}

const KEY_DAYS = ['none', '30', '90', '180', '365'] as const;

/** Default lifetime of new API keys; null: they do not expire. */
export function keyDays(
  name: string,
  fallback: (typeof KEY_DAYS)[number],
  surface: string,
): Setting<30 | 90 | 180 | 365 | null> {
  const meaning = `Default lifetime of a new ${surface} key in days: 30, 90, 180, 365, or none for no expiry.`;
  return {
    ...choice(name, KEY_DAYS, fallback, meaning),
    parse: (value) => {
      const days = oneOf(KEY_DAYS, value);
      return days === 'none' ? null : (Number(days) as 30 | 90 | 180 | 365);
    },
  };
}

/** Whole days, the largest first; empty: none. */
export function daysBefore(name: string, fallback: string, meaning: string): Setting<number[]> {
  const parse = (value: string) => {
    const days = splitList(value).map(Number);
    const falling = days.every(
      (n, i) => Number.isInteger(n) && n >= 1 && n <= 365 && n < (days[i - 1] ?? 366),
    );
    if (!falling) throw new BadValue('must be a comma-separated list of descending whole days from 365 to 1');
    return days;
  };
  return { name, default: fallback, meaning, secret: false, accepts: 'comma-separated, descending', parse };
}
