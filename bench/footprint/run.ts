/**
 * Measures what an installation of the npm package takes: bytes on disk, time until "ready" and idle memory.
 *
 *   npm pack && node bench/footprint/run.ts rowpress-0.1.0.tgz
 *
 * Installs the package into an empty folder, so it needs the npm registry. Memory is the proportional set size of the server
 * and its PostgreSQL 75 s after the start, which Linux reports for processes of the same user or to root.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processTree, proportionalBytes } from '../../test/support/process-memory.ts';

const IDLE_MS = 75_000;
const LATER_STARTS = 3;
const [given = ''] = process.argv.slice(2);
if (given === '') throw new Error('usage: node bench/footprint/run.ts PACKAGE.tgz');
const tarball = resolve(given);
const folder = mkdtempSync(join(tmpdir(), 'rowpress-footprint-'));
// As root, the database runs as another user, who must reach the data directory.
chmodSync(folder, 0o755);
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
const print = (what: string, value: string) => console.log(`${what.padEnd(48)} ${value}`);
const npm = (...args: string[]) =>
  execFileSync('npm', [...args, '--silent'], { cwd: folder, stdio: 'inherit' });
const diskBytes = (path: string) =>
  Number(execFileSync('du', ['-sB1', path], { encoding: 'utf8' }).split('\t')[0]);

try {
  print('package', megabytes(statSync(tarball).size));
  npm('install', '--prefix', join(folder, 'installed'), tarball);
  print('npm install of the package', megabytes(diskBytes(join(folder, 'installed'))));
  const checkout = join(folder, 'checkout');
  for (const path of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    ...globSync('{web,clients/*}/package.json'),
  ])
    await cp(path, join(checkout, path), { recursive: true });
  npm('ci', '--omit=dev', '--ignore-scripts', '--prefix', checkout);
  print('npm ci --omit=dev (node_modules)', megabytes(diskBytes(join(checkout, 'node_modules'))));

  const first = await start();
  print('first start, with a new database', `${(first.ms / 1000).toFixed(1)} s`);
  await pause(IDLE_MS);
  const database = processTree(postmaster());
  const server = processTree(first.pid).filter((id) => !database.includes(id));
  print(
    `idle memory of all ${server.length + database.length} processes`,
    megabytes(proportionalBytes([...server, ...database])),
  );
  print('  of which the server', megabytes(proportionalBytes(server)));
  await first.stop();
  const later: number[] = [];
  for (let round = 0; round < LATER_STARTS; round += 1) {
    const again = await start();
    later.push(again.ms);
    await again.stop();
  }
  print('later starts', later.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', '));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function start() {
  const began = performance.now();
  const child = spawn(join(folder, 'installed/node_modules/.bin/rowpress'), ['serve'], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      LOG_LEVEL: 'warn',
      ROWPRESS_DATA_DIR: join(folder, 'data'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  await new Promise<void>((ready, failed) => {
    child.stderr.on('data', (said: Buffer) => String(said).includes('ready at') && ready());
    void exited.then(() => failed(new Error('the server ended')));
  });
  const ms = performance.now() - began;
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { ms, pid: child.pid ?? 0, stop };
}

/** The first line of postmaster.pid is the process id. */
function postmaster(): number {
  const [path] = globSync(`${folder}/data/postgres/**/postmaster.pid`);
  if (path === undefined) throw new Error('no postmaster.pid in the data directory');
  return Number(readFileSync(path, 'utf8').split('\n')[0]);
}
