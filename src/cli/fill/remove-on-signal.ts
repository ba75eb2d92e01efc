import { rmSync } from 'node:fs';

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A run that is interrupted takes its unfinished file along: half an archive can be gigabytes. The signal then ends the
 * process as it would have. Returns what takes this back.
 */
export function removeOnSignal(path: string): () => void {
  const forget = () => {
    for (const signal of ENDING) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    forget();
    rmSync(path, { force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING) process.on(signal, end);
  return forget;
}
