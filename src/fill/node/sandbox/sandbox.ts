import { spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { limitArguments, memoryLimit, PRELUDE } from './child-limits.ts';
import { dropArguments, dropCapabilities, isReadableForAll, isRoot } from './child-user.ts';
import { ControlGroups } from './control-group.ts';
import { type FileView, fileView } from './file-view.ts';
import { bubblewrap, namespaces, withoutNetwork } from './isolation.ts';
import type { SandboxLayers } from './layers.ts';
import { NamelessFile } from './nameless-file.ts';
import { seccompFilter } from './seccomp-filter.ts';
import { findTools, type Tools } from './tools.ts';

/** How the launcher isolates a child. They are tried in order, best first, until one works on this machine. */
type Way = 'bubblewrap' | 'bubblewrap without seccomp' | 'namespaces' | 'network' | 'none';
const WAYS: readonly Way[] = ['bubblewrap', 'bubblewrap without seccomp', 'namespaces', 'network', 'none'];

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Inherited descriptors from 3 on: the files of the request, then the launcher's own. */
  readonly descriptors: readonly number[];
  /** Must be called when the process has started. */
  started(): void;
  /** Must be called when the process has ended. */
  ended(): void;
}

export interface LaunchNeeds {
  /** Node's flags, the script and its arguments. */
  readonly args: readonly string[];
  readonly script: string;
  readonly maxHeapBytes: number;
  readonly descriptors?: readonly number[];
  /** One of the descriptors is a file that the child writes. */
  readonly writesFile?: boolean;
}

export interface SandboxOptions {
  readonly tools?: Tools;
  readonly ways?: readonly Way[];
  readonly mayDrop?: boolean;
  readonly groups?: ControlGroups | undefined;
}

/** Starts children with all layers that this machine supports. Starting Node once detects the layers. */
export class Sandbox {
  readonly layers: SandboxLayers;
  readonly #tools: Tools;
  readonly #way: Way;
  readonly #drops: boolean;
  readonly #groups: ControlGroups | undefined;
  readonly #filter: NamelessFile | undefined;
  readonly #views = new Map<string, FileView>();

  private constructor(tools: Tools, way: Way, drops: boolean, groups: ControlGroups | undefined) {
    this.#tools = tools;
    this.#way = way;
    this.#drops = drops;
    this.#groups = groups;
    const filter = way === 'bubblewrap' ? seccompFilter(process.arch, { userNamespace: drops }) : undefined;
    this.#filter = filter === undefined ? undefined : NamelessFile.make(filter);
    const isBubblewrap = way.startsWith('bubblewrap');
    this.layers = {
      namespaces: isBubblewrap || way === 'namespaces',
      seccomp: this.#filter !== undefined,
      no_new_privs: isBubblewrap || tools.setpriv !== undefined,
      cgroup: groups !== undefined,
      user: drops || !isRoot(),
    };
  }

  /** Returns a sandbox without layers: only Node's permission model and shell limits apply. */
  static off(): Sandbox {
    const tools = { ...findTools([]) };
    return new Sandbox(tools, 'none', false, undefined);
  }

  static find(script: string, options: SandboxOptions = {}): Sandbox {
    if (process.platform !== 'linux') return Sandbox.off();
    const { tools = findTools(), ways = WAYS, mayDrop = true } = options;
    const groups = 'groups' in options ? options.groups : ControlGroups.find();
    for (const way of ways) {
      for (const drops of isRoot() && mayDrop && tools.setpriv !== undefined ? [true, false] : [false]) {
        if (drops && !isReadableForAll(script, way === 'network' || way === 'none')) continue;
        const sandbox = new Sandbox(tools, way, drops, groups);
        if (sandbox.#works(script)) return sandbox;
      }
    }
    return Sandbox.off();
  }

  /** Tests this sandbox with the launcher of the children: Node loads its libraries, prints its version and ends. */
  #works(script: string): boolean {
    if (this.#way === 'bubblewrap' && this.#filter === undefined) return false;
    try {
      const launch = this.launch({ args: ['--version'], script, maxHeapBytes: 500_000_000 });
      const { status, stdout } = spawnSync(launch.command, launch.args, {
        env: {},
        cwd: '/',
        stdio: ['ignore', 'pipe', 'ignore', ...launch.descriptors],
        encoding: 'utf8',
        timeout: 10_000,
      });
      launch.started();
      launch.ended();
      return status === 0 && stdout.trim() === process.version;
    } catch {
      return false;
    }
  }

  launch({ args, script, maxHeapBytes, descriptors = [], writesFile = false }: LaunchNeeds): Launch {
    if (process.platform === 'win32')
      return { command: process.execPath, args, descriptors, started: () => {}, ended: () => {} };
    const group = this.#groups?.make(memoryLimit(maxHeapBytes));
    const filter = this.#filter?.open();
    const seccompFd = filter === undefined ? undefined : 3 + descriptors.length;
    const isolation = this.#isolation(script, seccompFd);
    return {
      command: '/bin/sh',
      args: [
        ...['-c', PRELUDE, 'sh', group ?? ''],
        ...isolation,
        ...this.#insideArguments(maxHeapBytes, writesFile),
        process.execPath,
        ...args,
      ],
      descriptors: [...descriptors, ...(filter === undefined ? [] : [filter])],
      started: () => {
        if (filter !== undefined) closeSync(filter);
      },
      ended: () => {
        if (group !== undefined) this.#groups?.remove(group);
      },
    };
  }

  #isolation(script: string, seccompFd: number | undefined): readonly string[] {
    const tools = this.#tools;
    // Root creates namespaces without a user namespace, because the files may be in folders that only root can enter.
    const throughUserNamespace = !this.#drops;
    if (this.#way === 'none') return [];
    if (this.#way === 'network') return missing(withoutNetwork(tools, !isRoot()));
    const { env, prlimit, setpriv, unshare } = tools;
    const inside = [env, prlimit, setpriv, unshare].filter((tool) => tool !== undefined);
    const files = this.#views.get(script) ?? fileView(script, inside);
    this.#views.set(script, files);
    const isolation = { files, throughUserNamespace };
    if (this.#way === 'namespaces') return missing(namespaces(tools, isolation));
    return bubblewrap(missing(tools.bwrap), isolation, seccompFd);
  }

  /** The programs that run inside the namespaces. Each replaces the previous one; the last is Node. */
  #insideArguments(maxHeapBytes: number, writesFile: boolean): string[] {
    const { env, prlimit, setpriv, unshare } = this.#tools;
    const isBubblewrap = this.#way.startsWith('bubblewrap');
    const isNamespaced = isBubblewrap || this.#way === 'namespaces';
    const args: string[] = [];
    // bubblewrap sets PWD.
    if (isBubblewrap) args.push(missing(env), '-i');
    if (setpriv !== undefined) {
      if (this.#drops) args.push(...dropArguments(setpriv, true));
      else if (this.#way === 'namespaces') args.push(...dropCapabilities(setpriv));
      else if (!isBubblewrap) args.push(...dropArguments(setpriv, false));
    }
    if (this.#drops && isNamespaced) args.push(missing(unshare), '--user', '--');
    // Last, so that processes are counted in the child's own user namespace instead of for all children together.
    if (prlimit !== undefined)
      args.push(...limitArguments(prlimit, { maxHeapBytes, writesFile, countsProcesses: isNamespaced }));
    return args;
  }
}

/** Throws if a required program is missing, so that the next way is tried. */
function missing<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('a program of the launcher is not installed');
  return part;
}
