import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowpressJson } from './cli.ts';
import { ServerProcess } from './server-process.ts';

const MEMORY_CGROUPS = '/sys/fs/cgroup/memory';
export const SMALL_SERVER_BYTES = 512 * 1024 ** 2;

/**
 * A server to attack: `rowpress serve` with its embedded database, in one 512 MB memory cgroup if the system allows
 * tests to create one.
 */
export class AttackServer {
  readonly #process: ServerProcess;
  readonly #folder: string;
  readonly #cgroup: string | undefined;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(
    process: ServerProcess,
    folder: string,
    cgroup: string | undefined,
    env: Readonly<Record<string, string>>,
  ) {
    this.#process = process;
    this.#folder = folder;
    this.#cgroup = cgroup;
    this.#env = env;
  }

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<AttackServer> {
    const folder = await mkdtemp(join(tmpdir(), 'rowpress-attack-'));
    const cgroup = makeMemoryCgroup(SMALL_SERVER_BYTES);
    const env = { ROWPRESS_DATA_DIR: join(folder, 'data'), ...settings };
    const joinCgroup =
      cgroup === undefined
        ? []
        : ['/bin/sh', '-c', `echo $$ > ${join(cgroup, 'cgroup.procs')} && exec "$@"`, 'sh'];
    const process = await ServerProcess.start(env, joinCgroup);
    return new AttackServer(process, folder, cgroup, env);
  }

  get url(): string {
    return this.#process.url;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** True if the kernel kills processes that exceed 512 MB; otherwise only `peakResidentBytes` shows the excess. */
  get limited(): boolean {
    return this.#cgroup !== undefined;
  }

  get running(): boolean {
    return existsSync(`/proc/${this.pid}/status`);
  }

  /** Peak resident memory of the server process since it started. */
  peakResidentBytes(): number {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1];
    if (kilobytes === undefined) throw new Error('the server process has ended');
    return Number(kilobytes) * 1024;
  }

  /** Creates an API key with the command line, as an operator would. */
  async key(
    surface: 'bulkfill' | 'subscribers' | 'ingest',
    account: string,
    ...flags: string[]
  ): Promise<string> {
    const args = ['keys', 'create', '--surface', surface, '--account', account, ...flags];
    return (await rowpressJson<{ key: string }>(args, this.#env)).key;
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    if (this.#cgroup !== undefined) rmdirSync(this.#cgroup);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Requests `/healthz` repeatedly until stopped. Returns the longest response time in milliseconds. */
export function watchHealth(url: string): () => Promise<number> {
  let longest = 0;
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const began = performance.now();
      const { status } = await fetch(`${url}/healthz`);
      if (status !== 200) throw new Error(`/healthz answered ${status}`);
      longest = Math.max(longest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  // The caller of the returned function observes the rejection; without this, an early failure would end the test process first.
  watching.catch(() => undefined);
  return async () => {
    stopped = true;
    await watching;
    return longest;
  };
}

function makeMemoryCgroup(bytes: number): string | undefined {
  const path = join(MEMORY_CGROUPS, `rowpress-attack-${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(path);
    writeFileSync(join(path, 'memory.limit_in_bytes'), String(bytes));
    return path;
  } catch {
    return undefined;
  }
}
