import { createHash } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { PlainLog } from '#lib/plain-log.ts';
import { randomToken } from '#lib/random-token.ts';
import { ensureDataDir, exists } from '../data-dir.ts';
import { takeOwnedDirectory } from './directories.ts';
import { canWriteAs, chooseRunUser, type RunUser } from './run-user.ts';

/**
 * Location of the embedded database: `postgres/` in the data directory or, if the unprivileged database user cannot
 * enter that (a checkout under root's 0700 home), `/var/lib/rowpress/<short hash>`. `database.json` in the data
 * directory records the second case for later starts and commands. The hash includes a random part: a new data
 * directory under an old name gets a new database, never that of a deleted directory.
 *
 *   <directory>/cluster/       PGDATA, owned by the database user
 *   <directory>/run/           the socket, 0700, same owner (directories.ts may choose a shorter path)
 *   <directory>/postgres.log   the server's log
 *   <directory>/data-directory the path of the data directory, if the database is outside it
 */
export interface Place {
  readonly directory: string;
  readonly cluster: string;
  readonly logFile: string;
  readonly user: RunUser;
}

export const SHARED_ROOT = '/var/lib/rowpress';
const POINTER = 'database.json';

/** Returns the directory of the embedded database, or undefined if this data directory has none yet. */
export function findDirectory(dataDir: string): string | undefined {
  const pointer = join(dataDir, POINTER);
  if (exists(pointer)) {
    const { directory } = JSON.parse(readFileSync(pointer, 'utf8')) as { directory: string };
    return directory;
  }
  const inside = join(dataDir, 'postgres');
  return exists(join(inside, 'cluster')) ? inside : undefined;
}

export function takePlace(dataDir: string, log: PlainLog): Place {
  ensureDataDir(dataDir);
  const known = findDirectory(dataDir);
  const cluster = known === undefined ? undefined : join(known, 'cluster');
  const user = chooseRunUser(cluster !== undefined && exists(cluster) ? cluster : undefined);
  if (known !== undefined) {
    if (!prepare(known, user))
      throw new OperatorError(
        `The database user ${user.name} cannot reach the database in ${known}. ` +
          'Let that user enter the directories above it (chmod o+x), or move the data directory.',
      );
    return place(known, user);
  }
  const inside = join(dataDir, 'postgres');
  if (prepare(inside, user)) return place(inside, user);
  if (!user.dropped)
    throw new OperatorError(
      `${inside} is not writable. Give this user write access, or set ROWPRESS_DATA_DIR to another directory.`,
    );
  rmSync(inside, { recursive: true, force: true });
  return place(takeSharedPlace(dataDir, user, log), user);
}

function takeSharedPlace(dataDir: string, user: RunUser, log: PlainLog): string {
  const directory = writePointer(dataDir);
  try {
    mkdirSync(SHARED_ROOT, { recursive: true });
    chmodSync(SHARED_ROOT, 0o755);
    if (!prepare(directory, user)) throw new Error(`user ${user.name} cannot write to it`);
    // Shows an administrator which data directory this database belongs to.
    writeFileSync(join(directory, 'data-directory'), `${realpathSync(dataDir)}\n`);
  } catch (error) {
    throw new OperatorError(
      `The database user ${user.name} cannot reach the data directory ${dataDir}, and ` +
        `${directory} cannot be used instead (${(error as Error).message}). Set ROWPRESS_DATA_DIR to a directory that user can reach.`,
    );
  }
  log.info(
    `the data directory ${dataDir} is closed to the database user ${user.name}; the database is in ${directory} (recorded in ${join(dataDir, POINTER)})`,
  );
  return directory;
}

/** Writes the pointer atomically and only once, so that two concurrent first starts use the same directory. */
function writePointer(dataDir: string): string {
  const real = realpathSync(dataDir);
  const token = randomToken(16);
  const hash = createHash('sha256').update(`${real}\0${token}`).digest('hex').slice(0, 10);
  const directory = join(SHARED_ROOT, hash);
  const pointer = join(dataDir, POINTER);
  const unfinished = `${pointer}.${token}`;
  writeFileSync(unfinished, `${JSON.stringify({ directory, data_directory: real })}\n`, { mode: 0o644 });
  try {
    linkSync(unfinished, pointer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  return findDirectory(dataDir) ?? directory;
}

function place(directory: string, user: RunUser): Place {
  return {
    directory,
    cluster: join(directory, 'cluster'),
    logFile: join(directory, 'postgres.log'),
    user,
  };
}

/** Creates the directory and reports whether the database user can write to it. */
function prepare(directory: string, user: RunUser): boolean {
  try {
    mkdirSync(directory, { recursive: true });
    if (user.dropped) chmodSync(directory, 0o711);
  } catch {
    return false;
  }
  const run = join(directory, 'run');
  return takeOwnedDirectory(run, user) && canWriteAs(user, run);
}
