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
 * Makes the cluster if there is none, and refuses one of another major version.
 *
 * initdb works in a directory of its own, which is renamed to `cluster` when all of it is on disk. So a
 * cluster that can be seen is whole: an interrupted initdb leaves an unfinished directory, which a later start
 * removes, and of two first starts at the same moment one wins the rename and the other throws its own away.
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
      `The database in ${place.cluster} was made by PostgreSQL ${version}, but this Rowpress brings PostgreSQL ${binaries.major}. ` +
        'Run `rowpress export` with the release that made it, then `rowpress import` with this one into an empty data directory.',
    );
}

/** undefined: there is no cluster (or only the empty mount point of one). */
export function clusterMajor(cluster: string): number | undefined {
  const file = join(cluster, 'PG_VERSION');
  if (exists(file)) return Number(readFileSync(file, 'utf8').trim());
  if (exists(cluster) && readdirSync(cluster).length > 0)
    throw new OperatorError(
      `${cluster} is not empty, but holds no PostgreSQL database either. Move it away, or restore it.`,
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
  log.info(`making a PostgreSQL ${binaries.version} database in ${place.cluster}`);
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

/** Those whose maker is gone; the name carries its process id. */
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
  // The built-in locale sorts alike on every machine; a libc locale may change its order with an upgrade.
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
    throw new OperatorError(`The database could not be made in ${place.directory}: ${complaint.trim()}`);
}

/**
 * initdb runs as the database's user, who cannot read the key's own file: it inherits a file without a name, which that
 * user can open again and nobody else can find.
 */
function openNameless(path: string, content: string): number {
  const fd = openSync(path, 'wx+', 0o600);
  // At a position: the offset stays at the start, where initdb reads on systems that share it.
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
