/** The ingest surface alone in a process of its own, so that its memory can be read from outside. */
import type { AddressInfo } from 'node:net';
import { KeyRing } from '../../src/engine/keys/key-ring.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { buildServer } from '../../src/http/server.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { parseHostAllowList } from '../../src/lib/host-allow-list.ts';
import { systemIds } from '../../src/lib/ids.ts';
import { createLogger } from '../../src/lib/logger.ts';
import type { DatabaseAddress } from '../../src/storage/database.ts';
import { startIngestNode } from '../../test/support/ingest-node.ts';

const { address, blobRoot } = JSON.parse(process.argv[2] ?? '{}') as {
  address: DatabaseAddress;
  blobRoot: string;
};
const onError = (error: unknown) => console.error(error);
const node = await startIngestNode({ address, blobRoot, workers: 2, onError });
const allow = parseHostAllowList([]);
if (!allow.ok) throw new Error('bug: an empty list');
const keys = new KeyRing({ db: node.database.db, clock: systemClock, onTouchError: onError });
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
  ids: systemIds,
  log: createLogger({ level: 'error', pretty: false }),
  metrics: registry.metrics,
  registry,
  health: async () => ({}),
  authenticate: keys.authenticate,
  limits: { take: async () => ({ ok: true }) },
  surfaces: [node.work.surface({ engine: node.engine, webhookAllow: allow.list })],
});
await app.listen({ host: '127.0.0.1', port: 0 });
node.startWorkers();
process.send?.({ port: (app.server.address() as AddressInfo).port });
process.on('message', async () => {
  await drain(1000);
  await node.stop();
  process.disconnect?.();
});
