import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of /proc per second: USER_HZ is 100 on every Linux that we support. */
const HZ = 100;

interface Process {
  readonly parent: number;
  readonly command: string;
  readonly seconds: number;
}

/** Processor time of a server, its children and its database so far. Children that ended are counted by their parents. */
export function cpuSeconds(server: number, dataDir: string): { node: number; database: number } {
  const all = new Map<number, Process>();
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const found = read(pid);
    if (found !== undefined) all.set(pid, found);
  }
  const isBelow = (pid: number, top: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent)
      if (at === top) return true;
    return false;
  };
  // Only the first process of PostgreSQL has a data directory in its command.
  const isPostmaster = (command: string) => /\/postgres\0-D\0/.test(command);
  const [postmaster] =
    [...all].find(
      ([pid, { command }]) =>
        isPostmaster(command) && (command.includes(`${dataDir}/`) || isBelow(pid, server)),
    ) ?? [];
  if (postmaster === undefined) throw new Error('bug: the server has no database');
  const total = { node: 0, database: 0 };
  for (const [pid, { seconds }] of all) {
    if (isBelow(pid, postmaster)) total.database += seconds;
    else if (isBelow(pid, server)) total.node += seconds;
  }
  return total;
}

function read(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).map(Number);
    return {
      parent: Number(fields[1]),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
      seconds: ticks.reduce((sum, tick) => sum + tick, 0) / HZ,
    };
  } catch {
    // The process ended meanwhile.
    return undefined;
  }
}
