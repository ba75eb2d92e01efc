import { rmSync } from 'node:fs';

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Deletes the unfinished file when a signal interrupts the run, because half an archive can be gigabytes. The signal
 * then ends the process as usual. Returns a function that uninstalls the handlers.
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
