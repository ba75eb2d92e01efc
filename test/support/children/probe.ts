/**
 * A compromised child: tries what an attacker would try and reports the results. Started by the same launcher as the
 * upload readers (test/support/sandbox-table.ts). Plain TypeScript without project imports.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import inspector from 'node:inspector';
import { connect } from 'node:net';

export interface ProbeTargets {
  readonly only?: 'exec';
  readonly unixSocket: string;
  readonly port: number;
  readonly victim: number;
  readonly secretFile: string;
  readonly newFile: string;
}

const parts: Buffer[] = [];
for await (const part of process.stdin) parts.push(part as Buffer);
const targets = JSON.parse(Buffer.concat(parts).toString('utf8')) as ProbeTargets;

/** "done", or the error code of the refusal. */
function attempt(action: () => void): string {
  try {
    action();
    return 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
}

function reach(where: { path: string } | { host: string; port: number }): Promise<string> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    try {
      const socket = connect(where, () => {
        socket.destroy();
        resolve('done');
      });
      socket.on('error', fail);
    } catch (error) {
      fail(error as NodeJS.ErrnoException);
    }
  });
}

function start(program: string, args: readonly string[]): void {
  const { error, status } = spawnSync(program, args);
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`ended with ${status}`);
}

if (targets.only === 'exec') {
  process.execve?.('/bin/sh', ['sh', '-c', 'printf executed']);
} else {
  const { victim } = targets;
  const results = {
    'connect to a unix socket': await reach({ path: targets.unixSocket }),
    'connect by TCP': await reach({ host: '127.0.0.1', port: targets.port }),
    'open an inspector port': attempt(() => {
      inspector.open(0, '127.0.0.1');
      if (inspector.url() === undefined) throw new Error('not opened');
      inspector.close();
    }),
    'signal another process': attempt(() => process.kill(victim, 0)),
    "read another process's memory": attempt(() => {
      const memory = openSync(`/proc/${victim}/mem`, 'r');
      const [address = ''] = readFileSync(`/proc/${victim}/maps`, 'utf8').split('-');
      readSync(memory, Buffer.alloc(8), 0, 8, BigInt(`0x${address}`));
      closeSync(memory);
    }),
    'read a key of the data directory': attempt(() => readFileSync(targets.secretFile)),
    'read a file of the machine': attempt(() => readFileSync('/etc/passwd')),
    'write a file': attempt(() => writeFileSync(targets.newFile, 'x')),
    'start a program': attempt(() => start('/bin/true', [])),
    'start Node again': attempt(() => start(process.execPath, ['--version'])),
    'attach a debugger to another process': attempt(() => {
      (process as unknown as { _debugProcess(pid: number): void })._debugProcess(victim);
    }),
  };
  writeSync(1, JSON.stringify(results));
  process.exit(0);
}
