import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MAX_PROCESSES } from './child-limits.ts';

/**
 * Control groups (version 2) for children, in the parent of this process's own group. The parent must be delegated to the
 * server, as systemd does with `Delegate=` and `DelegateSubgroup=`. A group that contains processes cannot set limits for
 * groups below it, and the server must not move itself to another group.
 */
export class ControlGroups {
  readonly #parent: string;
  #made = 0;

  private constructor(parent: string) {
    this.#parent = parent;
  }

  /** Returns undefined if no control group is delegated. */
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

  /** Creates a group and returns its folder. A process joins by writing to `cgroup.procs` there. */
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
      // One of its processes is still ending. An empty group costs nothing and is removed with the unit.
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
