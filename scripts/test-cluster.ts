/**
 * `npm run test:cluster`: installs the packages of Debian that the suite `cluster` needs, if they are missing, and runs it.
 * Installing needs root. `CLUSTER_TEST=long` adds the faults that take long.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** Each package and a file that it installs. */
const PACKAGES: Readonly<Record<string, string>> = {
  postgresql: '/usr/lib/postgresql/15/bin/postgres',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'python3-swift': '/usr/lib/python3/dist-packages/swift/obj/mem_server.py',
};
/** Its exit code 101 keeps Debian from starting the services of packages. */
const POLICY = '/usr/sbin/policy-rc.d';

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  if (status !== 0) process.exit(status ?? 1);
}

function install(packages: readonly string[]): void {
  const hasPolicy = existsSync(POLICY);
  if (!hasPolicy) {
    writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    process.on('exit', () => rmSync(POLICY));
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = ['-qq', '-o', 'DPkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=300'];
  run('apt-get', ['update', ...quiet], env);
  run('apt-get', ['install', '-y', '--no-install-recommends', ...quiet, ...packages], env);
}

const missing = Object.keys(PACKAGES).filter((name) => !existsSync(PACKAGES[name] ?? ''));
if (missing.length > 0 && process.getuid?.() !== 0) {
  console.error(
    `The suite needs packages of Debian 12: apt-get install --no-install-recommends ${missing.join(' ')}`,
  );
  process.exit(1);
}
if (missing.length > 0) install(missing);
// Two files at a time: the faults mostly wait for the cluster, and the small files run beside its first ones.
run('vitest', ['run', '--project=cluster', '--maxWorkers=2', ...process.argv.slice(2)]);
