import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { OperatorError } from '#lib/errors/operator-error.ts';

/**
 * The user that the database runs as. PostgreSQL does not run as root, so root drops to `postgres`, else `nobody`. An
 * existing cluster keeps its owner, because PostgreSQL must own its data directory.
 */
export interface RunUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  /** False: the process already runs as this user, and no owner has to change. */
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
        `The database in ${existingCluster} belongs to user ${owner.uid}; the current user is ${uid}. Run as that user or as root.`,
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

/** Returns spawn options that run a child as the database user. */
export function runAs(user: RunUser): { uid?: number; gid?: number; cwd: string } {
  // The user may not be allowed to enter the current directory, so every child starts at the root.
  return user.dropped ? { uid: user.uid, gid: user.gid, cwd: '/' } : { cwd: '/' };
}

/** Tests write access as that user, because mode bits are not enough (access lists, read-only or squashed mounts). */
export function canWriteAs(user: RunUser, dir: string): boolean {
  // The shell's process id keeps concurrent starts apart.
  const script = 'cd "$1" && : > .probe-$$ && rm .probe-$$';
  const { status } = spawnSync('/bin/sh', ['-c', script, 'sh', dir], { ...runAs(user), stdio: 'ignore' });
  return status === 0;
}
