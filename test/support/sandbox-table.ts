/**
 * Runs the probe under each set of this machine's sandbox layers and prints what got through, as JSON. A separate program,
 * so that a test can run it as root and as another user.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { CappedChild, type ChildOptions } from '#fill/node/capped-child.ts';
import type { SandboxLayers } from '#fill/node/sandbox/layers.ts';
import { Sandbox } from '#fill/node/sandbox/sandbox.ts';
import type { ProbeTargets } from './children/probe.ts';

export interface SandboxColumn {
  readonly name: string;
  readonly layers: SandboxLayers;
  readonly results: Readonly<Record<string, string>>;
}

const PROBE = new URL('./children/probe.ts', import.meta.url);
const CAPS = { maxRssBytes: 400_000_000, maxMs: 60_000, maxOutputBytes: 100_000 };
const folder = mkdtempSync('/tmp/rp-sandbox-');
// World-writable: the folder mode must not be what stops the child.
chmodSync(folder, 0o777);
const secretFile = join(folder, 'secret.key');
writeFileSync(secretFile, 'secret', { mode: 0o600 });

const tcp = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
const unixSocket = join(folder, 'socket');
const unix = createServer((socket) => socket.destroy()).listen(unixSocket);
await Promise.all([once(tcp, 'listening'), once(unix, 'listening')]);
// Like the database: only the server's user can open the socket.
chmodSync(unixSocket, 0o700);
const address = tcp.address();
const port = typeof address === 'object' ? (address?.port ?? 0) : 0;

async function column(name: string, options: ChildOptions & { sandbox: Sandbox }): Promise<SandboxColumn> {
  const victim = spawn('sleep', ['600'], { stdio: 'ignore' });
  await once(victim, 'spawn');
  const targets: ProbeTargets = {
    unixSocket,
    port,
    victim: victim.pid ?? 0,
    secretFile,
    newFile: join(folder, `${name.replaceAll(' ', '-')}.txt`),
  };
  const ask = (question: ProbeTargets) =>
    new CappedChild(PROBE, CAPS.maxRssBytes, options).ask([Buffer.from(JSON.stringify(question))], CAPS);
  try {
    const outcome = await ask(targets);
    if (!outcome.ok) throw new Error(`${name}: ${outcome.reason}: ${outcome.detail}`);
    const exec = await ask({ ...targets, only: 'exec' });
    const executed = exec.ok && exec.output.toString() === 'executed';
    const results = JSON.parse(outcome.output.toString()) as Record<string, string>;
    return {
      name,
      layers: options.sandbox.layers,
      results: { ...results, 'replace itself with a shell': executed ? 'done' : 'refused' },
    };
  } finally {
    victim.kill('SIGKILL');
  }
}

const find = (ways: Parameters<typeof Sandbox.find>[1]) => Sandbox.find(PROBE.pathname, ways);
const columns: SandboxColumn[] = [];
columns.push(await column('no layer', { sandbox: Sandbox.off(), permission: false }));
columns.push(await column('permission model', { sandbox: Sandbox.off() }));
const alone = find({ ways: ['none'] });
columns.push(await column('user and no_new_privs', { sandbox: alone, permission: false }));
const namespaces = find({ ways: ['namespaces'] });
if (namespaces.layers.namespaces)
  columns.push(await column('namespaces', { sandbox: namespaces, permission: false }));
const bubblewrap = find({ ways: ['bubblewrap'] });
if (bubblewrap.layers.seccomp)
  columns.push(await column('namespaces and seccomp', { sandbox: bubblewrap, permission: false }));

tcp.close();
unix.close();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify(columns));
