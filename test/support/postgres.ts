import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#lib/plain-log.ts';
import { ping } from '#storage/embedded/connect.ts';
import { install } from '#storage/embedded/install.ts';
import { serverArguments } from '#storage/embedded/postmaster.ts';
import { runAs } from '#storage/embedded/run-user.ts';

/** A temporary PostgreSQL cluster for one test run: unix socket in a temporary directory, no TCP, no password. */
export interface TestCluster {
  readonly socketDir: string;
  stop(): Promise<void>;
}

/**
 * Created like the product's own, but without fsync (unless requested) and as an ordinary child: Ctrl-C on the test run also
 * stops it, while the product's server is meant to outlive its parent.
 */
export async function startCluster(fsync = false): Promise<TestCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'rp-test-'));
  chmodSync(dir, 0o755);
  const { place, binaries, key, options } = await install(join(dir, 'data'), { fsync }, silentLog);
  const rules = join(dir, 'pg_hba.conf');
  writeFileSync(rules, 'local all all trust\n', { mode: 0o644 });
  const child = spawn(
    join(binaries.bin, 'postgres'),
    serverArguments(place, { ...options, hba_file: rules }),
    {
      ...runAs(place.user),
      env: binaries.env,
      stdio: 'ignore',
    },
  );
  const socketDir = options.unix_socket_directories ?? '';
  await ready(socketDir, key, child);
  return {
    socketDir,
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGQUIT');
      await gone;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function ready(socketDir: string, key: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`postgres exited with ${child.exitCode}`);
    if ((await ping(socketDir, key)) === 'ready') return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error('postgres did not become ready');
}
