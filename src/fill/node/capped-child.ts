import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKOUT } from '#lib/built-programs.ts';
import { lowerPriority } from '#lib/lower-priority.ts';
import { isLate, sleepObserver, waitedMs } from './reader-deadline.ts';
import { readerShare } from './reader-memory.ts';
import { familyOf, residentBytes } from './resident-bytes.ts';
import { currentSandbox } from './sandbox/current.ts';
import { programRoots } from './sandbox/file-view.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/**
 * Runs one of our modules on untrusted bytes in a process that may be killed at any moment. The process has pipes for input
 * and output, an empty environment, Node's permission model (no writes, child processes, workers or add-ons), and the
 * sandbox layers that the machine supports. The heap flag does not limit buffers or WebAssembly, so the parent polls the
 * resident size and the clock, and kills the process at a limit.
 */
export interface ChildCaps {
  readonly maxRssBytes: number;
  readonly maxMs: number;
  readonly maxOutputBytes: number;
  /** How long the process may sleep; shorter in tests. */
  readonly maxAsleepMs?: number;
}

export type ChildOutcome =
  | { readonly ok: true; readonly output: Buffer; readonly peakRssBytes: number; readonly ms: number }
  | { readonly ok: false; readonly reason: FailureReason; readonly detail: string };

/** `asleep`: the process neither worked nor ended, which is the fault of the system and not of the input. */
type FailureReason = 'memory' | 'time' | 'output' | 'asleep' | 'crash';

/** Descriptors of open files that the child reads as 3 and writes as 4. It has no other access to the machine's files. */
export interface ChildFiles {
  readonly input: number;
  readonly output?: number;
}

export interface ChildOptions {
  readonly files?: ChildFiles;
  readonly sandbox?: Pick<Sandbox, 'launch'>;
  /** False only in tests of the other layers, as if Node's permission model had failed. */
  readonly permission?: boolean;
}

const POLL_MS = 50;
/** More than the processes and threads of a starting child can need. */
const MAX_PASSES = 50;
const HEAP_SHARE = 0.75;
const COMPLAINT_CHARS = 4096;

/** A process for one request. It may be started ahead, because loading our modules takes as long as most requests. */
export class CappedChild {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #files: ChildFiles | undefined;
  readonly #ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #complaint = '';
  #maxOutputBytes = Number.POSITIVE_INFINITY;
  #verdict: ChildOutcome | null = null;
  #killed = false;
  #yields = false;

  constructor(script: URL, maxHeapBytes: number, options: ChildOptions = {}) {
    const { files, sandbox = currentSandbox(), permission = true } = options;
    const file = fileURLToPath(script);
    const launch = sandbox.launch({
      args: [...nodeFlags(maxHeapBytes, permission), file],
      script: file,
      maxHeapBytes,
      descriptors: [files?.input, files?.output].filter((file) => file !== undefined),
      writesFile: files?.output !== undefined,
    });
    const child = spawn(launch.command, launch.args, {
      env: {},
      stdio: ['pipe', 'pipe', 'pipe', ...launch.descriptors],
      cwd: '/',
      // Its own session and process group, so that one kill ends a launcher and the processes that it started.
      detached: true,
    }) as ChildProcessWithoutNullStreams;
    launch.started();
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
      // The child may end before it has read all input. Its exit code reports the reason.
    });
    this.#ended = new Promise((resolve) => {
      child.on('error', (error) => {
        this.#kill('crash', error.message);
        resolve({ code: null, signal: null });
      });
      // A process that outlives its killed launcher could hold the pipes open.
      child.on('exit', () => {
        if (!this.#killed) return;
        child.stdout.destroy();
        child.stderr.destroy();
      });
      child.on('close', (code, signal) => {
        launch.ended();
        resolve({ code, signal });
      });
    });
  }

  async ask(input: readonly Uint8Array[], caps: ChildCaps, signal?: AbortSignal): Promise<ChildOutcome> {
    const started = performance.now();
    let peakRssBytes = 0;
    this.#maxOutputBytes = caps.maxOutputBytes;
    const maxRssBytes = Math.min(caps.maxRssBytes, readerShare());
    const isAsleep = sleepObserver(this.#process.pid, caps.maxAsleepMs);
    const poll = setInterval(() => {
      const rss = residentBytes(this.#process.pid);
      peakRssBytes = Math.max(peakRssBytes, rss);
      this.#checkOutputFile();
      if (rss > maxRssBytes) this.#kill('memory', `${rss} bytes resident`);
      if (isLate(performance.now() - started, caps.maxMs, this.#waited))
        this.#kill('time', `${caps.maxMs} ms passed`);
      if (isAsleep(performance.now())) this.#kill('asleep', 'no progress');
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
    // V8 ends a process at its heap limit before the poll observes the resident size.
    if (code !== 0 && this.#complaint.includes('heap out of memory'))
      return { ok: false, reason: 'memory', detail: 'the heap is full' };
    if (code !== 0) {
      return { ok: false, reason: 'crash', detail: `${code ?? killedBy}: ${this.#complaint.slice(0, 500)}` };
    }
    return { ok: true, output: Buffer.concat(this.#chunks), peakRssBytes, ms: performance.now() - started };
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Whether the child has ended. The kernel may kill a waiting child when memory is short. */
  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Ends a child that received no request or is no longer needed. */
  async dismiss(): Promise<void> {
    // If the child is unreferenced, only this timer keeps the process alive until the child has ended.
    const alive = setInterval(() => undefined, POLL_MS);
    this.#killGroup();
    await this.#ended;
    clearInterval(alive);
  }

  /** Only a child that gives way to others is not late because they use all cores. */
  readonly #waited = () => (this.#yields ? waitedMs(this.#process.pid) : 0);

  /** Lets the child give way to other work on a busy machine, from now on. */
  yieldToOthers(): void {
    this.#yields = true;
    this.#lowerPriority();
    // A thread that was just being created copied the old priority, but can be seen only now.
    setTimeout(() => this.#lowerPriority(), POLL_MS).unref();
  }

  #lowerPriority(): void {
    const { pid } = this.#process;
    if (pid === undefined || this.hasEnded) return;
    // A process or thread that was created during a pass appears in the next one.
    for (let pass = 0; pass < MAX_PASSES && familyOf(pid).map(lowerPriority).includes(true); pass += 1);
  }

  /** Allows this process to end while the child waits for its request. */
  unref(): void {
    this.#process.unref();
    for (const pipe of [this.#process.stdin, this.#process.stdout, this.#process.stderr]) {
      (pipe as Partial<{ unref(): void }>).unref?.();
    }
  }

  #checkOutputFile(): void {
    const output = this.#files?.output;
    if (output === undefined || fstatSync(output).size <= this.#maxOutputBytes) return;
    this.#kill('output', `more than ${this.#maxOutputBytes} bytes`);
  }

  #kill(reason: FailureReason, detail: string): void {
    this.#verdict ??= { ok: false, reason, detail };
    this.#killGroup();
  }

  /**
   * Kills the whole group. If only the launcher were killed, a process that it has just started could survive: it registers
   * with the kernel to end with its parent only a moment later.
   */
  #killGroup(): void {
    this.#killed = true;
    const { pid } = this.#process;
    if (pid === undefined || this.hasEnded) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.#process.kill('SIGKILL');
    }
  }
}

/**
 * V8 optimises a WebAssembly function after about 13 MB of executed code. In a process that runs for half a second (Node's
 * type stripper, harfbuzz, PDFium) this does not pay off: it took 40 % of all processor time. At a hundred times that
 * budget it still helps with a slow file.
 */
const WASM_TIERING_BUDGET = 1_300_000_000;

function nodeFlags(maxHeapBytes: number, permission: boolean): string[] {
  // Both paths of a linked folder: it is looked up by one and read by the other. The program also tests whether there are
  // sources, and an installed package has none.
  const readable = [...programRoots(), path.join(CHECKOUT, 'node_modules'), path.join(CHECKOUT, 'src')];
  const isFolder = (root: string) => statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  return [
    ...(permission ? ['--permission'] : []),
    ...(permission ? [...new Set(readable)] : []).map(
      (root) => `--allow-fs-read=${isFolder(root) ? path.join(root, '*') : root}`,
    ),
    `--max-old-space-size=${Math.floor((Math.min(maxHeapBytes, readerShare()) * HEAP_SHARE) / 1e6)}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--no-addons',
    `--wasm-tiering-budget=${WASM_TIERING_BUDGET}`,
  ];
}
