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
 * Where the embedded database of a data directory lives: `postgres/` inside it or, when its unprivileged user
 * cannot get there (a checkout under root's 0700 home), `/var/lib/rowpress/<short hash>`. The second case is
 * written down in `database.json` of the data directory, so that every later start and the command line find
 * it. The hash covers a random part too: a new data directory under an old name gets a new database, never the
 * one a deleted directory left behind.
 *
 *   <directory>/cluster/       PGDATA, owned by the database's user
 *   <directory>/run/           the socket, 0700, same owner (socket-directory.ts may choose a shorter path)
 *   <directory>/postgres.log   what the server says
 *   <directory>/data-directory whose database it is, where it is not inside
 */
export interface Place {
  readonly directory: string;
  readonly cluster: string;
  readonly logFile: string;
  readonly user: RunUser;
}

export const SHARED_ROOT = '/var/lib/rowpress';
const POINTER = 'database.json';

/** The directory of the embedded database, or undefined if this data directory has none yet. */
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
        `The database in ${known} cannot be reached by user ${user.name}, which runs it. ` +
          'Let that user pass through the directories above it (chmod o+x), or move the data directory.',
      );
    return place(known, user);
  }
  const inside = join(dataDir, 'postgres');
  if (prepare(inside, user)) return place(inside, user);
  if (!user.dropped)
    throw new OperatorError(`${inside} cannot be written. Give this user access, or set ROWPRESS_DATA_DIR.`);
  rmSync(inside, { recursive: true, force: true });
  return place(takeSharedPlace(dataDir, user, log), user);
}

function takeSharedPlace(dataDir: string, user: RunUser, log: PlainLog): string {
  const directory = writePointer(dataDir);
  try {
    mkdirSync(SHARED_ROOT, { recursive: true });
    chmodSync(SHARED_ROOT, 0o755);
    if (!prepare(directory, user)) throw new Error(`user ${user.name} cannot write there`);
    // So that a person can tell which of these still belongs to something.
    writeFileSync(join(directory, 'data-directory'), `${realpathSync(dataDir)}\n`);
  } catch (error) {
    throw new OperatorError(
      `The data directory ${dataDir} cannot be reached by user ${user.name}, which runs the database, and ` +
        `${directory} cannot be used instead (${(error as Error).message}). Set ROWPRESS_DATA_DIR to a directory that user can reach.`,
    );
  }
  log.info(
    `the data directory ${dataDir} is closed to user ${user.name}, which runs the database: the database lives in ${directory} (noted in ${join(dataDir, POINTER)})`,
  );
  return directory;
}

/** Written whole and only once: of two first starts at the same moment both get the same answer. */
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

/** Makes the directory passable for the database's user, and says whether that user gets there. */
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
