/**
 * The complete Ingest surface (HTTP, workers, blobs) as a process that tests can kill and benchmarks can measure. With
 * `fault`, it kills itself with SIGKILL the n-th time it passes that point. Any message shuts it down cleanly.
 */
import type { AddressInfo } from 'node:net';
import { KeyRing } from '#engine/keys/key-ring.ts';
import { createMetrics } from '#http/metrics.ts';
import { buildServer } from '#http/server.ts';
import { systemClock } from '#lib/clock.ts';
import { type FaultPoint, onFaultPoint } from '#lib/fault-points.ts';
import { systemIds } from '#lib/ids.ts';
import { createLogger } from '#lib/logger.ts';
import type { DatabaseAddress } from '#storage/database.ts';
import { startIngestNode } from '../support/ingest-node.ts';
import { dialects, keyKinds } from '../support/product.ts';
import { roomForAll } from '../support/storage-room.ts';

export interface IngestServerOptions {
  readonly address: DatabaseAddress;
  readonly blobRoot: string;
  readonly workers?: number;
  readonly fault?: { readonly point: FaultPoint; readonly at: number };
}

const options = JSON.parse(process.argv[2] ?? '') as IngestServerOptions;
const onError = (error: unknown) => console.error(error instanceof Error ? error.message : error);
let passed = 0;
onFaultPoint((point) => {
  if (point === options.fault?.point && ++passed === options.fault.at) process.kill(process.pid, 'SIGKILL');
});

const node = await startIngestNode({ ...options, onError });
const keys = new KeyRing({
  kinds: keyKinds,
  db: node.database.db,
  clock: systemClock,
  onTouchError: onError,
});
const registry = createMetrics();
const { app, drain } = await buildServer({
  settings: {
    basePath: '',
    publicUrl: undefined,
    trustProxy: false,
    tls: undefined,
    requestTimeoutMs: 600_000,
    timeoutCheckMs: 5_000,
  },
  dialects,
  keyKinds,
  ids: systemIds,
  log: createLogger({ level: 'silent', pretty: false }),
  metrics: registry.metrics,
  registry,
  health: async () => ({}),
  authenticate: keys.authenticate,
  limits: { take: async () => ({ ok: true }) },
  surfaces: [
    node.work.routes({
      engine: node.engine,
      webhookAllow: { covers: () => false },
      room: roomForAll(node.database.db),
    }),
  ],
});
await app.listen({ host: '127.0.0.1', port: 0 });
node.startWorkers();
process.send?.({ port: (app.server.address() as AddressInfo).port });
process.on('message', async () => {
  await drain(1000);
  await node.stop();
  process.disconnect?.();
});
