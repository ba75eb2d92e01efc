import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs one of our modules on untrusted bytes in a process that may be killed at any moment: input and output by
 * pipe, empty environment, Node's permission model without writing, child processes, workers or add-ons, no network
 * where the system lets us unshare it. The heap flag does not cover buffers or WebAssembly, so the parent looks at
 * the resident size and at the clock, and kills.
 */
export interface ChildCaps {
  readonly maxRssBytes: number;
  readonly maxMs: number;
  readonly maxOutputBytes: number;
}

export type ChildOutcome =
  | { readonly ok: true; readonly output: Buffer; readonly peakRssBytes: number; readonly ms: number }
  | { readonly ok: false; readonly reason: 'memory' | 'time' | 'output' | 'crash'; readonly detail: string };

const POLL_MS = 50;
const HEAP_SHARE = 0.75;

export function runCapped(
  script: URL,
  input: readonly Uint8Array[],
  caps: ChildCaps,
  signal?: AbortSignal,
): Promise<ChildOutcome> {
  const started = performance.now();
  const [command = process.execPath, ...args] = [
    ...networkJail(),
    process.execPath,
    ...nodeFlags(caps),
    fileURLToPath(script),
  ];
  const child = spawn(command, args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'], cwd: '/' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let peakRssBytes = 0;
    let complaint = '';
    let verdict: ChildOutcome | null = null;
    const kill = (reason: 'memory' | 'time' | 'output' | 'crash', detail: string) => {
      verdict ??= { ok: false, reason, detail };
      child.kill('SIGKILL');
    };
    const poll = setInterval(() => {
      const rss = residentBytes(child);
      peakRssBytes = Math.max(peakRssBytes, rss);
      if (rss > caps.maxRssBytes) kill('memory', `${rss} bytes resident`);
      if (performance.now() - started > caps.maxMs) kill('time', `${caps.maxMs} ms passed`);
    }, POLL_MS);
    const onAbort = () => kill('time', 'aborted');
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > caps.maxOutputBytes) kill('output', `more than ${caps.maxOutputBytes} bytes`);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < 4096) complaint += chunk.toString('utf8');
    });
    child.on('error', (error) => kill('crash', error.message));
    child.stdin.on('error', () => {
      // The child may refuse before it has read everything; its exit tells the rest.
    });
    child.on('close', (code, killedBy) => {
      clearInterval(poll);
      signal?.removeEventListener('abort', onAbort);
      if (verdict !== null) resolve(verdict);
      else if (code !== 0)
        resolve({ ok: false, reason: 'crash', detail: `${code ?? killedBy}: ${complaint.slice(0, 500)}` });
      else
        resolve({ ok: true, output: Buffer.concat(chunks), peakRssBytes, ms: performance.now() - started });
    });
    for (const chunk of input) child.stdin.write(chunk);
    child.stdin.end();
  });
}

function nodeFlags(caps: ChildCaps): string[] {
  return [
    '--permission',
    ...readableRoots().map((root) => `--allow-fs-read=${root}`),
    `--max-old-space-size=${Math.floor((caps.maxRssBytes * HEAP_SHARE) / 1e6)}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--no-addons',
  ];
}

/** Our own sources and the packages they import; node_modules may be a link to elsewhere. */
function readableRoots(): string[] {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const library = createRequire(import.meta.url).resolve('fflate');
  const marker = `${path.sep}node_modules${path.sep}`;
  const packages = library.slice(0, library.lastIndexOf(marker) + marker.length);
  return [...new Set([path.join(root, '*'), path.join(packages, '*')])];
}

let jail: string[] | null = null;

/** `unshare` (util-linux) gives the child an empty network namespace; as root directly, else through a user namespace. */
function networkJail(): string[] {
  if (jail !== null) return jail;
  jail = [];
  if (process.platform !== 'linux') return jail;
  for (const attempt of [
    ['unshare', '-n', '--'],
    ['unshare', '-r', '-n', '--'],
  ]) {
    const [command = '', ...args] = attempt;
    if (spawnSync(command, [...args, 'true'], { timeout: 2000, stdio: 'ignore' }).status === 0) {
      jail = attempt;
      break;
    }
  }
  return jail;
}

const PAGE_BYTES = 4096;

/** Resident memory; 0 where the system does not tell, then the heap flag is the only cap. */
function residentBytes(child: ChildProcess): number {
  if (child.pid === undefined) return 0;
  try {
    if (process.platform === 'linux') {
      return Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
    }
    const ps = spawnSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8', timeout: 1000 });
    return Number(ps.stdout.trim()) * 1024 || 0;
  } catch {
    return 0;
  }
}
