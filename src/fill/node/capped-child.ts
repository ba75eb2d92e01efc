import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { fstatSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_PROGRAMS, CHECKOUT } from '../../lib/built-programs.ts';
import { readerShare } from './reader-memory.ts';

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
  | { readonly ok: false; readonly reason: FailureReason; readonly detail: string };

type FailureReason = 'memory' | 'time' | 'output' | 'crash';

/** Descriptors of open files that the child reads as 3 and writes as 4, so that their content never passes the parent. */
export interface ChildFiles {
  readonly input: number;
  readonly output: number;
}

const POLL_MS = 50;
const HEAP_SHARE = 0.75;
const COMPLAINT_CHARS = 4096;

/** One process for one question. It may be started before the question is known, because loading our modules takes as long as most answers. */
export class CappedChild {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #files: ChildFiles | undefined;
  readonly #ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #complaint = '';
  #maxOutputBytes = Number.POSITIVE_INFINITY;
  #verdict: ChildOutcome | null = null;

  /** `readable` are files that the child may read besides our own, by their real paths. */
  constructor(script: URL, maxHeapBytes: number, readable: readonly string[] = [], files?: ChildFiles) {
    const program = [process.execPath, ...nodeFlags(maxHeapBytes, readable), fileURLToPath(script)];
    const [command = process.execPath, ...args] = [...networkJail(), ...withCpuLimit(program)];
    const pipes = ['pipe', 'pipe', 'pipe'] as const;
    const stdio = files === undefined ? [...pipes] : [...pipes, files.input, files.output];
    const child = spawn(command, args, { env: {}, stdio, cwd: '/' }) as ChildProcessWithoutNullStreams;
    this.#process = child;
    this.#files = files;
    child.stdout.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      if (this.#length > this.#maxOutputBytes)
        this.#kill('output', `more than ${this.#maxOutputBytes} bytes`);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (this.#complaint.length < COMPLAINT_CHARS) this.#complaint += chunk.toString('utf8');
    });
    child.stdin.on('error', () => {
      // The child may end before it has read everything; its exit tells the rest.
    });
    this.#ended = new Promise((resolve) => {
      child.on('error', (error) => {
        this.#kill('crash', error.message);
        resolve({ code: null, signal: null });
      });
      child.on('close', (code, signal) => resolve({ code, signal }));
    });
  }

  async ask(input: readonly Uint8Array[], caps: ChildCaps, signal?: AbortSignal): Promise<ChildOutcome> {
    const started = performance.now();
    let peakRssBytes = 0;
    this.#maxOutputBytes = caps.maxOutputBytes;
    const maxRssBytes = Math.min(caps.maxRssBytes, readerShare());
    const poll = setInterval(() => {
      const rss = residentBytes(this.#process);
      peakRssBytes = Math.max(peakRssBytes, rss);
      this.#checkOutputFile();
      if (rss > maxRssBytes) this.#kill('memory', `${rss} bytes resident`);
      if (performance.now() - started > caps.maxMs) this.#kill('time', `${caps.maxMs} ms passed`);
    }, POLL_MS);
    const onAbort = () => this.#kill('time', 'aborted');
    signal?.addEventListener('abort', onAbort, { once: true });
    // Already aborted: the listener would never fire.
    if (signal?.aborted === true) onAbort();
    for (const chunk of input) this.#process.stdin.write(chunk);
    this.#process.stdin.end();
    const { code, signal: killedBy } = await this.#ended;
    clearInterval(poll);
    signal?.removeEventListener('abort', onAbort);
    this.#checkOutputFile();
    if (this.#verdict !== null) return this.#verdict;
    // V8 ends a process at its heap flag before the resident size is seen.
    if (code !== 0 && this.#complaint.includes('heap out of memory'))
      return { ok: false, reason: 'memory', detail: 'the heap is full' };
    if (code !== 0) {
      return { ok: false, reason: 'crash', detail: `${code ?? killedBy}: ${this.#complaint.slice(0, 500)}` };
    }
    return { ok: true, output: Buffer.concat(this.#chunks), peakRssBytes, ms: performance.now() - started };
  }

  /** A child that waits may be gone before its question comes: where memory is short, the system ends whom it likes. */
  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Ends a child that was never asked, or is no longer wanted. */
  async dismiss(): Promise<void> {
    // It may be unreferenced: then nothing else would keep this process alive until the end is seen.
    const alive = setInterval(() => undefined, POLL_MS);
    this.#process.kill('SIGKILL');
    await this.#ended;
    clearInterval(alive);
  }

  /** Lets this process end while the child waits for its question. */
  unref(): void {
    this.#process.unref();
    for (const pipe of [this.#process.stdin, this.#process.stdout, this.#process.stderr]) {
      (pipe as Partial<{ unref(): void }>).unref?.();
    }
  }

  #checkOutputFile(): void {
    if (this.#files === undefined || fstatSync(this.#files.output).size <= this.#maxOutputBytes) return;
    this.#kill('output', `more than ${this.#maxOutputBytes} bytes`);
  }

  #kill(reason: FailureReason, detail: string): void {
    this.#verdict ??= { ok: false, reason, detail };
    this.#process.kill('SIGKILL');
  }
}

/**
 * V8 optimises a WebAssembly function after about 13 MB of executed code. In a process that lives for half a second
 * (Node's type stripper, harfbuzz, PDFium) that work does not pay: it was 40 % of all processor time. A hundred times
 * later it still helps a file that takes long.
 */
const WASM_TIERING_BUDGET = 1_300_000_000;

function nodeFlags(maxHeapBytes: number, readable: readonly string[]): string[] {
  return [
    '--permission',
    ...[...readableRoots(), ...readable].map((root) => `--allow-fs-read=${root}`),
    `--max-old-space-size=${Math.floor((Math.min(maxHeapBytes, readerShare()) * HEAP_SHARE) / 1e6)}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--no-addons',
    `--wasm-tiering-budget=${WASM_TIERING_BUDGET}`,
  ];
}

/** Our own sources and the packages they import, never the data beside them; node_modules may be a link to elsewhere. */
function readableRoots(): string[] {
  const library = createRequire(import.meta.url).resolve('fflate');
  const marker = `${path.sep}node_modules${path.sep}`;
  const packages = library.slice(0, library.lastIndexOf(marker) + marker.length);
  return [
    path.join(CHECKOUT, 'src', '*'),
    path.join(BUILT_PROGRAMS, '..', '*'),
    path.join(CHECKOUT, 'package.json'),
    // Both names of a linked folder: it is looked up by the one and read by the other.
    ...new Set([path.join(CHECKOUT, 'node_modules', '*'), path.join(packages, '*')]),
  ];
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

/** Far above what the clock allows; it ends a child whose parent was killed and watches no longer. */
const CPU_SECONDS = 120;

/** Where memory runs out all the same, the kernel of Linux ends a reader and not the server (proc(5), oom_score_adj). */
const FIRST_TO_GO = 'echo 1000 2>/dev/null >/proc/self/oom_score_adj;';

function withCpuLimit(program: readonly string[]): string[] {
  if (process.platform === 'win32') return [...program];
  return [
    '/bin/sh',
    '-c',
    `${FIRST_TO_GO} ulimit -t ${CPU_SECONDS}; unset PWD OLDPWD SHLVL _; exec "$@"`,
    'sh',
    ...program,
  ];
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
