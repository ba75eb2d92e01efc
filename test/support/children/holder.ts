/** Starts a child that computes forever, prints the child's process id as seen by the host, and keeps running. */
import { readFileSync } from 'node:fs';
import { CappedChild } from '#fill/node/capped-child.ts';

const child = new CappedChild(new URL('./misbehave.ts', import.meta.url), 400_000_000);
void child.ask([Buffer.from('spin')], { maxRssBytes: 400_000_000, maxMs: 600_000, maxOutputBytes: 1000 });

/** Returns the innermost process once it has used more CPU time than a launcher does. */
function busy(pid: number): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const ticks = Number(stat.slice(stat.lastIndexOf(')')).split(' ')[12]);
  if (children === '') return ticks > 30 ? pid : undefined;
  return children
    .split(' ')
    .map((one) => busy(Number(one)))
    .find((found) => found !== undefined);
}

const look = setInterval(() => {
  try {
    const found = busy(child.pid ?? 0);
    if (found === undefined) return;
    clearInterval(look);
    process.stdout.write(`${found}\n`);
  } catch {
    // A launcher step has just exited.
  }
}, 20);
