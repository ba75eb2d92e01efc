/**
 * The Subscribers surface as a separate process that tests can kill and benchmarks can measure. It reads its options as
 * JSON from the first argument and replies over IPC.
 */
import { type FaultPoint, onFaultPoint } from '#lib/fault-points.ts';
import { type SubscribersOptions, startSubscribers } from '../support/subscribers-node.ts';

export interface ServerOptions extends Pick<SubscribersOptions, 'address' | 'blobRoot'> {
  /** Kills itself with SIGKILL the n-th time it passes the point. */
  readonly fault?: { readonly point: FaultPoint; readonly at: number };
}
export type ServerMessage =
  | { readonly ready: { readonly url: string; readonly key: string } }
  | { readonly peakRss: number };

const options = JSON.parse(process.argv[2] ?? '') as ServerOptions;
const { fault } = options;
let passed = 0;
if (fault !== undefined)
  onFaultPoint((point) => {
    if (point === fault.point && ++passed === fault.at) process.kill(process.pid, 'SIGKILL');
  });

const tell = (message: ServerMessage) => process.send?.(message);
const node = await startSubscribers(options);
node.work();

let peakRss = 0;
const watch = setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
}, 20);
process.on('message', (question) => {
  if (question === 'peak-rss') {
    tell({ peakRss });
    peakRss = process.memoryUsage.rss();
  }
});
process.once('disconnect', () => {
  clearInterval(watch);
  void node.stop();
});
tell({ ready: { url: node.url, key: await node.newKey('demo') } });
