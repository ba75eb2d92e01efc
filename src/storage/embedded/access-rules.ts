import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomToken } from '#lib/random-token.ts';
import type { RunUser } from './run-user.ts';

/** `pg_hba.conf`: every connection needs the password. TCP and replication have no line. */
const RULES = `# Written by Rowpress. Passwords are in database.key of the data directory.
# TYPE  DATABASE  USER  METHOD
local   all       all   scram-sha-256
`;

const path = (cluster: string) => join(cluster, 'pg_hba.conf');

export function needsPassword(cluster: string): boolean {
  return readFileSync(path(cluster), 'utf8') === RULES;
}

/** PostgreSQL applies the file at startup and on a reload, not when it changes. */
export function rulesChangedAt(cluster: string): Date {
  return statSync(path(cluster)).mtime;
}

/** Replaces the file atomically, so that a server never reads a mix of old and new rules. */
export function writeAccessRules(cluster: string, user: RunUser): void {
  const unfinished = `${path(cluster)}.${randomToken(6)}`;
  const fd = openSync(unfinished, 'wx', 0o600);
  try {
    writeSync(fd, RULES);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  chmodSync(unfinished, 0o600);
  if (user.dropped) chownSync(unfinished, user.uid, user.gid);
  renameSync(unfinished, path(cluster));
  const directory = openSync(cluster, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
