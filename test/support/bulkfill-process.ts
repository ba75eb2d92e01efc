import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ServerOptions } from '../crash/bulkfill-server.ts';

const SCRIPT = fileURLToPath(new URL('../crash/bulkfill-server.ts', import.meta.url));

export interface BulkfillProcess {
  readonly url: string;
  /** The signal or exit code that ended the process. */
  readonly died: Promise<NodeJS.Signals | number | null>;
  /** Stops the server and waits until its process has ended. */
  stop(): Promise<unknown>;
}

/** Starts the composed server in its own process, which may kill itself at a fault point. Stopped when the test ends. */
export async function startBulkfillProcess(options: ServerOptions): Promise<BulkfillProcess> {
  const child = fork(SCRIPT, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const died = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  const stop = () => {
    if (child.connected) child.disconnect();
    return died;
  };
  onTestFinished(async () => void (await stop()));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { url, died, stop };
}
