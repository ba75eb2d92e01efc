/**
 * One node of the engine as a process that a test can kill: the example kind with a real queue and a real database.
 * Commands and replies are IPC messages. With `fault`, the process kills itself with SIGKILL the n-th time it passes that
 * point. After the command `hold`, the next work that reaches the named point waits there until `release`.
 */
import { BlobKeeper } from '#engine/blob-keeper.ts';
import { DataKeys } from '#engine/data-keys.ts';
import { Engine } from '#engine/engine.ts';
import { JobKinds } from '#engine/job-kind.ts';
import { Queue } from '#engine/queue/queue.ts';
import { Signals } from '#engine/queue/signals.ts';
import type { AcceptRequest } from '#engine/requests/accept-job.ts';
import { sweep, sweepOrphanFiles } from '#engine/retention/sweep.ts';
import { InstallationSecret } from '#engine/secrets.ts';
import { handleWebhookTask } from '#engine/webhooks/deliver.ts';
import { createOutbox } from '#engine/webhooks/outbox.ts';
import { reconcileWebhooks } from '#engine/webhooks/reconcile.ts';
import type { WebhookParts } from '#engine/webhooks/webhook-parts.ts';
import { sealSecrets } from '#engine/webhooks/webhook-secrets.ts';
import { systemClock } from '#lib/clock.ts';
import { type FaultPoint, onFaultPoint } from '#lib/fault-points.ts';
import { systemIds } from '#lib/ids.ts';
import { DiskBlobs } from '#storage/blobs/disk.ts';
import { EncryptedStore } from '#storage/blobs/encrypted-store.ts';
import { type DatabaseAddress, openDatabase } from '#storage/database.ts';
import { sumKind } from '../support/example-kind.ts';
import { schemes } from '../support/product.ts';
import { testServices } from '../support/services.ts';

export interface NodeOptions {
  readonly address: DatabaseAddress;
  readonly workers: number;
  readonly fault?: { readonly point: FaultPoint; readonly at: number };
  /** Jobs belong to a plan with a limit, which none of them reaches. */
  readonly limited?: boolean;
  /** The webhook URL of every job. */
  readonly webhook?: { readonly url: string; readonly ca: string };
  readonly blobs?: string;
  /** New blobs are encrypted; all nodes of a test use the same secret. */
  readonly encryptBlobs?: boolean;
}

export type Command =
  | {
      readonly id: number;
      readonly do: 'accept';
      readonly key: string;
      readonly body: string;
      readonly accountId: string;
      readonly count: number;
      readonly sliceSize: number;
    }
  | { readonly id: number; readonly do: 'cancel'; readonly jobId: string }
  | { readonly id: number; readonly do: 'put'; readonly accountId: string; readonly content: string }
  | { readonly id: number; readonly do: 'read'; readonly name: string }
  /** Sweeps with the clock two hours ahead, then looks for orphan files. */
  | { readonly id: number; readonly do: 'sweep' }
  | { readonly id: number; readonly do: 'hold'; readonly point: FaultPoint }
  | { readonly id: number; readonly do: 'release' }
  | { readonly id: number; readonly do: 'stop' };
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly ready: true }
  /** Work is waiting at the point that `hold` named. */
  | { readonly held: FaultPoint };

const plainBox = { seal: (plain: string) => Buffer.from(plain), open: (box: Buffer) => box.toString() };
const options = JSON.parse(process.argv[2] ?? '') as NodeOptions;
const onError = (error: unknown) => console.error(error instanceof Error ? error.message : error);

let passed = 0;
let holdAt: FaultPoint | undefined;
let gate = Promise.withResolvers<void>();
onFaultPoint((point) => {
  if (point === options.fault?.point && ++passed === options.fault.at) process.kill(process.pid, 'SIGKILL');
  if (point !== holdAt) return;
  holdAt = undefined;
  process.send?.({ held: point } satisfies Answer);
  return gate.promise;
});

const database = openDatabase(options.address, 10, onError);
const queue = new Queue(database.pool, { leaseMs: 10_000, supervise: options.workers > 0, onError });
const services = testServices(database.db);
const signals = new Signals(database.pool, onError);
const webhooks: WebhookParts = {
  database,
  queue,
  services,
  secrets: plainBox,
  clock: systemClock,
  ids: systemIds,
  resolve: async () => ['127.0.0.1'],
  counters: { attempted() {} },
  schemes,
  settings: {
    allow: { covers: () => true },
    // That of the product. A shorter one would deliver twice on a machine that stalls.
    timeoutMs: 10_000,
    retrySeconds: { bulkfill: [1, 2, 3, 4, 5], standard: [], ingest: [] },
    ...(options.webhook && { ca: options.webhook.ca }),
  },
};
const later = { now: () => new Date(Date.now() + 2 * 3_600_000) };
const store = options.blobs === undefined ? undefined : await DiskBlobs.open(options.blobs);
const dataKeys = new DataKeys(
  database.db,
  new InstallationSecret(Buffer.alloc(32, 1)).box('data-key'),
  systemClock,
);
const encrypted = store && new EncryptedStore(store, dataKeys);
const blobs =
  encrypted &&
  new BlobKeeper(encrypted, database.db, systemClock, options.encryptBlobs ? encrypted : undefined);
const engine = new Engine({
  database,
  queue,
  services,
  signals,
  kinds: new JobKinds([sumKind()]),
  clock: systemClock,
  ids: systemIds,
  outbox: createOutbox(webhooks),
  onSettled: async () => {},
  counters: { accepted() {}, replayed() {}, conflicted() {}, sliceEnded() {}, rows() {}, settled() {} },
  settings: { deliverySeconds: 21_600, artifactSeconds: 86_400, sliceTimeoutMs: 60_000 },
});
await engine.start(options.address);
if (options.workers > 0)
  engine.startWorkers({
    slices: options.workers,
    settles: 1,
    webhooks: 4,
    deliver: async (deliveryId) => void (await handleWebhookTask(webhooks, { deliveryId })),
    chores: [{ name: 'webhooks', everyMs: 2_000, run: () => reconcileWebhooks(webhooks, 0) }],
    onError,
  });

async function sweepAll(): Promise<unknown> {
  if (store === undefined) throw new Error('this node has no blob store');
  const parts = {
    db: database.db,
    clock: later,
    blobs: store,
    settings: { artifactSeconds: 86_400, jobRetentionSeconds: 86_400 },
  };
  return {
    ...(await sweep(parts)),
    orphans: await sweepOrphanFiles(parts),
    temporary: await store.sweepTemporary(later.now()),
  };
}

async function obey(command: Command): Promise<unknown> {
  if (command.do === 'cancel') return engine.cancel(command.jobId);
  if (command.do === 'put') return blobs?.put(command.accountId, Buffer.from(command.content));
  if (command.do === 'read') return (await blobs?.readAll(command.name))?.toString();
  if (command.do === 'sweep') return sweepAll();
  if (command.do === 'hold') {
    gate = Promise.withResolvers();
    holdAt = command.point;
    return true;
  }
  if (command.do === 'release') return gate.resolve();
  if (command.do === 'stop') return engine.stop(2_000).then(() => database.close());
  const request: AcceptRequest = {
    accountId: command.accountId,
    kind: 'example.sum',
    input: {
      count: command.count,
      sliceSize: command.sliceSize,
      announce: true,
      ...(options.webhook && {
        webhook: { url: options.webhook.url, secrets: sealSecrets(plainBox, ['secret']).toString('base64') },
      }),
    },
    identity: {
      scope: 'example',
      key: command.key,
      windowSeconds: 86_400,
      bodyDigest: Buffer.from(command.body.padEnd(32, '.')),
    },
    quota: { rows: command.count, limit: options.limited ? 1_000_000 : null },
  };
  const answer = await engine.accept(request);
  if (answer.outcome === 'accepted') return { outcome: 'accepted', jobId: answer.job.id };
  return { outcome: answer.outcome, jobId: 'record' in answer ? answer.record.job_id : undefined };
}

process.on('message', (command: Command) => {
  obey(command).then(
    (value) => {
      process.send?.({ id: command.id, value } satisfies Answer);
      if (command.do === 'stop') process.disconnect?.();
    },
    (error: Error) => process.send?.({ id: command.id, value: { error: error.message } } satisfies Answer),
  );
});
process.send?.({ ready: true } satisfies Answer);
