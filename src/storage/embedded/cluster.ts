import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { PlainLog } from '#lib/plain-log.ts';
import { randomToken } from '#lib/random-token.ts';
import { exists } from '../data-dir.ts';
import { writeAccessRules } from './access-rules.ts';
import type { Binaries } from './binaries.ts';
import { SUPERUSER } from './database-roles.ts';
import { takeOwnedDirectory } from './directories.ts';
import type { Place } from './place.ts';
import { isAlive } from './process-state.ts';
import { runAs } from './run-user.ts';

const UNFINISHED = 'cluster.new-';

/**
 * Creates the cluster if it is missing and rejects one of another major version.
 *
 * initdb writes to a temporary directory, which is renamed to `cluster` once everything is on disk. A visible cluster
 * is therefore complete. A later start removes what an interrupted initdb left. If two first starts run at once, one
 * wins the rename and the other deletes its own.
 */
export async function ensureCluster(
  place: Place,
  binaries: Binaries,
  key: string,
  log: PlainLog,
  sync = true,
): Promise<void> {
  const version = clusterMajor(place.cluster);
  if (version === undefined) await makeCluster(place, binaries, key, log, sync);
  else if (version !== binaries.major)
    throw new OperatorError(
      `The database in ${place.cluster} was created by PostgreSQL ${version}; this release of Rowpress includes PostgreSQL ${binaries.major}. ` +
        'Run `rowpress export` with the old release, then `rowpress import` with this one into an empty data directory.',
    );
}

/** Returns undefined if there is no cluster, or only its empty mount point. */
export function clusterMajor(cluster: string): number | undefined {
  const file = join(cluster, 'PG_VERSION');
  if (exists(file)) return Number(readFileSync(file, 'utf8').trim());
  if (exists(cluster) && readdirSync(cluster).length > 0)
    throw new OperatorError(
      `${cluster} is not empty and does not contain a PostgreSQL database. Move or restore it.`,
    );
  return undefined;
}

async function makeCluster(
  place: Place,
  binaries: Binaries,
  key: string,
  log: PlainLog,
  sync: boolean,
): Promise<void> {
  removeUnfinished(place.directory);
  const unfinished = join(place.directory, `${UNFINISHED}${process.pid}-${randomToken(6)}`);
  takeOwnedDirectory(unfinished, place.user);
  log.info(`creating a PostgreSQL ${binaries.version} database in ${place.cluster}`);
  try {
    await initdb(unfinished, place, binaries, key, sync);
    writeAccessRules(unfinished, place.user);
    renameSync(unfinished, place.cluster);
    if (sync) syncDirectory(place.directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!exists(join(place.cluster, 'PG_VERSION'))) throw error;
  }
}

/** Removes unfinished clusters whose process has ended; the name contains its process id. */
function removeUnfinished(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const pid = Number(name.slice(UNFINISHED.length).split('-')[0]);
    if (pid === process.pid || !isAlive(pid))
      rmSync(join(directory, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

async function initdb(
  target: string,
  place: Place,
  binaries: Binaries,
  key: string,
  sync: boolean,
): Promise<void> {
  const password = openNameless(`${target}.key`, key);
  // The built-in locale sorts the same on every machine; the order of a libc locale may change with an upgrade.
  const locale =
    binaries.major >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      : ['--locale=C'];
  const args = [
    '-D',
    target,
    '-U',
    SUPERUSER,
    '-A',
    'scram-sha-256',
    '--pwfile=/dev/fd/3',
    '-E',
    'UTF8',
    '--data-checksums',
    ...locale,
  ];
  const child = spawn(join(binaries.bin, 'initdb'), sync ? args : [...args, '--no-sync'], {
    ...runAs(place.user),
    env: binaries.env,
    stdio: ['ignore', 'ignore', 'pipe', password],
  });
  closeSync(password);
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0)
    throw new OperatorError(`Cannot create the database in ${place.directory}: ${complaint.trim()}`);
}

/**
 * Opens an unlinked file for initdb, which runs as the database user and cannot read the key file itself. The user can
 * reopen the inherited file, and nobody else can find it.
 */
function openNameless(path: string, content: string): number {
  const fd = openSync(path, 'wx+', 0o600);
  // Written at a position: the offset stays at 0, where initdb starts to read on systems that share the offset.
  writeSync(fd, content, 0);
  unlinkSync(path);
  fchmodSync(fd, 0o444);
  return fd;
}

function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
