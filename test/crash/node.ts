/**
 * One node of the product's engine as a process that a test can kill: the example kind, real queue, real
 * database. Commands come and answers go over IPC. With `fault`, the process ends itself by SIGKILL at the
 * n-th time it passes that point.
 */
import { Engine } from '../../src/engine/engine.ts';
import { JobKinds } from '../../src/engine/job-kind.ts';
import { Queue } from '../../src/engine/queue/queue.ts';
import { Signals } from '../../src/engine/queue/signals.ts';
import type { AcceptRequest } from '../../src/engine/requests/accept-job.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type FaultPoint, onFaultPoint } from '../../src/lib/fault-points.ts';
import { systemIds } from '../../src/lib/ids.ts';
import { type DatabaseAddress, openDatabase } from '../../src/storage/database.ts';
import { sumKind } from '../support/example-kind.ts';

export interface NodeOptions {
  readonly address: DatabaseAddress;
  readonly workers: number;
  readonly fault?: { readonly point: FaultPoint; readonly at: number };
  /** Each slice takes so long, so that a test can act while it runs. */
  readonly sliceMs?: number;
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
  | { readonly id: number; readonly do: 'stop' };
export type Answer = { readonly id: number; readonly value: unknown } | { readonly ready: true };

const options = JSON.parse(process.argv[2] ?? '') as NodeOptions;
const onError = (error: unknown) => console.error(error instanceof Error ? error.message : error);

let passed = 0;
onFaultPoint((point) => {
  if (point === options.fault?.point && ++passed === options.fault.at) process.kill(process.pid, 'SIGKILL');
});

const database = openDatabase(options.address, 10, onError);
const queue = new Queue(database.pool, { leaseMs: 10_000, supervise: options.workers > 0, onError });
const signals = new Signals(database.pool, onError);
const sliceMs = options.sliceMs ?? 0;
const kind = sumKind({ beforeSlice: () => new Promise((resolve) => setTimeout(resolve, sliceMs)) });
const engine = new Engine({
  database,
  queue,
  signals,
  kinds: new JobKinds([kind]),
  clock: systemClock,
  ids: systemIds,
  outbox: { record: async () => {} },
  onSettled: async () => {},
  counters: { accepted() {}, replayed() {}, conflicted() {}, sliceEnded() {}, rows() {}, settled() {} },
  settings: { deliverySeconds: 21_600, artifactSeconds: 86_400, sliceTimeoutMs: 60_000 },
});
await engine.start(options.address);
if (options.workers > 0)
  engine.startWorkers({
    slices: options.workers,
    settles: 1,
    webhooks: 1,
    deliver: async () => {},
    chores: [],
    onError,
  });

async function obey(command: Command): Promise<unknown> {
  if (command.do === 'cancel') return engine.cancel(command.jobId);
  if (command.do === 'stop') return engine.stop(2_000).then(() => database.close());
  const request: AcceptRequest = {
    accountId: command.accountId,
    kind: 'example.sum',
    input: { count: command.count, sliceSize: command.sliceSize, announce: true },
    identity: {
      scope: 'example',
      key: command.key,
      windowSeconds: 86_400,
      bodyDigest: Buffer.from(command.body.padEnd(32, '.')),
    },
    quota: { rows: command.count, limit: null },
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
