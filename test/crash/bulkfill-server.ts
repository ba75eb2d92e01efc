/**
 * The complete server as a separate process that kills itself at a fault point. It reads its options as JSON from the
 * first argument and sends its address over IPC.
 */
import { loadConfig } from '#config.ts';
import { createMetrics } from '#http/metrics.ts';
import { type FaultPoint, onFaultPoint } from '#lib/fault-points.ts';
import { createLogger } from '#lib/logger.ts';
import { startServer } from '#main.ts';

export interface ServerOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Kills itself with SIGKILL the n-th time it passes the point. */
  readonly fault?: { readonly point: FaultPoint; readonly at: number };
}

const { env, fault } = JSON.parse(process.argv[2] ?? '') as ServerOptions;
let passed = 0;
if (fault !== undefined)
  onFaultPoint((point) => {
    if (point === fault.point && ++passed === fault.at) process.kill(process.pid, 'SIGKILL');
  });

const read = loadConfig(env);
if (!read.ok) throw new Error(read.problems.join('; '));
const server = await startServer(
  read.config,
  createLogger({ level: 'silent', pretty: false }),
  createMetrics(),
);
process.once('disconnect', () => void server.stop());
process.send?.({ url: server.url });
