import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { OperatorError } from '#lib/errors/operator-error.ts';

/**
 * Who the database runs as. PostgreSQL refuses to run as root, so root drops to `postgres`, else `nobody`; a
 * cluster that exists keeps its owner, because PostgreSQL wants its data directory to be its own.
 */
export interface RunUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  /** False: we are that user already, and nothing has to be handed over. */
  readonly dropped: boolean;
}

export function chooseRunUser(existingCluster: string | undefined): RunUser {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  if (uid === undefined || gid === undefined)
    throw new OperatorError(
      'The embedded PostgreSQL runs on Linux and macOS only. Set DATABASE_URL, or use WSL.',
    );
  const owner = existingCluster === undefined ? undefined : statSync(existingCluster);
  if (uid !== 0) {
    if (owner !== undefined && owner.uid !== uid)
      throw new OperatorError(
        `The database in ${existingCluster} belongs to user ${owner.uid}, but this is user ${uid}. Run as that user or as root.`,
      );
    return { uid, gid, name: String(uid), dropped: false };
  }
  if (owner !== undefined && owner.uid !== 0)
    return { uid: owner.uid, gid: owner.gid, name: String(owner.uid), dropped: true };
  for (const name of ['postgres', 'nobody']) {
    const found = lookUp(name);
    if (found !== undefined) return { ...found, name, dropped: true };
  }
  throw new OperatorError(
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody". ' +
      'Start Rowpress as an unprivileged user, or set DATABASE_URL.',
  );
}

function lookUp(name: string): { uid: number; gid: number } | undefined {
  const ask = (flag: string) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : Number.NaN;
  };
  const uid = ask('-u');
  const gid = ask('-g');
  return uid > 0 && gid >= 0 ? { uid, gid } : undefined;
}

/** Spawn options that make a child run as the database's user. */
export function runAs(user: RunUser): { uid?: number; gid?: number; cwd: string } {
  // The current directory may be closed to that user; every child starts at the root.
  return user.dropped ? { uid: user.uid, gid: user.gid, cwd: '/' } : { cwd: '/' };
}

/** Tries as that user, because mode bits alone do not tell (access lists, read-only or squashed mounts). */
export function canWriteAs(user: RunUser, dir: string): boolean {
  // The shell's process id keeps two starts at the same moment apart.
  const script = 'cd "$1" && : > .probe-$$ && rm .probe-$$';
  const { status } = spawnSync('/bin/sh', ['-c', script, 'sh', dir], { ...runAs(user), stdio: 'ignore' });
  return status === 0;
}
