import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MAX_PROCESSES } from './child-limits.ts';

/**
 * Control groups (version 2) for children, in the group above this process's own. That one must have been handed to us:
 * systemd does so with `Delegate=` and `DelegateSubgroup=`. The group that a process is in cannot have limits for
 * groups below it, and to move the server itself is not ours to do.
 */
export class ControlGroups {
  readonly #parent: string;
  #made = 0;

  private constructor(parent: string) {
    this.#parent = parent;
  }

  /** undefined: none were handed to us. */
  static find(mount = '/sys/fs/cgroup', own = ownGroup()): ControlGroups | undefined {
    if (own === undefined || own === '/') return undefined;
    const parent = path.join(mount, path.dirname(own));
    try {
      accessSync(parent, constants.W_OK);
      const read = (name: string) => readFileSync(path.join(parent, name), 'utf8').split(/\s+/);
      const wanted = ['memory', 'pids'];
      if (!wanted.every((name) => read('cgroup.controllers').includes(name))) return undefined;
      const enabled = read('cgroup.subtree_control');
      const missing = wanted.filter((name) => !enabled.includes(name)).map((name) => `+${name}`);
      if (missing.length > 0) writeFileSync(path.join(parent, 'cgroup.subtree_control'), missing.join(' '));
      const groups = new ControlGroups(parent);
      groups.remove(groups.make(1));
      return groups;
    } catch {
      return undefined;
    }
  }

  /** The folder of a new group; a process joins by writing to `cgroup.procs` there. */
  make(maxBytes: number): string {
    this.#made += 1;
    const group = path.join(this.#parent, `rowpress-reader-${process.pid}-${this.#made}`);
    mkdirSync(group);
    writeFileSync(path.join(group, 'memory.max'), String(maxBytes));
    writeFileSync(path.join(group, 'memory.oom.group'), '1');
    writeFileSync(path.join(group, 'pids.max'), String(MAX_PROCESSES));
    return group;
  }

  remove(group: string): void {
    try {
      rmdirSync(group);
    } catch {
      // A process of it is still ending. An empty group costs nothing and goes with the unit.
    }
  }
}

function ownGroup(): string | undefined {
  try {
    return /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
