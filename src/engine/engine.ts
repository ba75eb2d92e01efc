import { type InstallationChore, Ticker } from '#lib/ticker.ts';
import type { DatabaseAddress, Tx } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { onOneNode } from './chores/on-one-node.ts';
import type { EngineParts } from './engine-parts.ts';
import { endJob } from './jobs/end-job.ts';
import { reconcileJobs } from './jobs/reconcile.ts';
import { SliceTallies } from './jobs/slice-tallies.ts';
import { waitForJob } from './jobs/wait-for-job.ts';
import { workSettle } from './jobs/work-settle.ts';
import { workSlice } from './jobs/work-slice.ts';
import type { Claimed } from './queue/queue.ts';
import { QueueWorker } from './queue/queue-worker.ts';
import { type Accepted, type AcceptRequest, acceptJob } from './requests/accept-job.ts';
import { JobIntake } from './requests/job-intake.ts';
import type { RequestIdentity, Taken } from './requests/request-identity.ts';
import { type RanOnce, runOnce } from './requests/run-once.ts';

export interface WorkerOptions {
  readonly slices: number;
  readonly settles: number;
  readonly webhooks: number;
  /** Sends one webhook. Enqueues the next attempt itself if there is one. */
  readonly deliver: (deliveryId: string) => Promise<void>;
  /** Other periodic tasks of the installation: due webhooks without a queue entry, sweepers. */
  readonly chores: readonly InstallationChore[];
  readonly onError: (error: unknown) => void;
}

const RECONCILE_MS = 15_000;
/** Slices not counted by then are counted by another process when their lease expires. */
const COUNT_MS = 1_000;

/**
 * The engine as used by surfaces and the composition root. It contains nothing about PDF, CSV or HTTP: `JobKind`
 * defines what a job means, and the transactions in `storage/` enforce every guarantee.
 */
export class Engine {
  readonly #parts: EngineParts;
  readonly #intake: JobIntake;
  #workers: { readonly size: number; stop(graceMs: number): Promise<void> }[] = [];
  #tickers: Ticker[] = [];
  #tallies: SliceTallies | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#intake = new JobIntake(parts.database.db);
  }

  /**
   * Starts the queue and the signals of other nodes. Workers start separately, so that a node may only serve requests.
   */
  async start(listenAddress: DatabaseAddress): Promise<void> {
    await this.#parts.queue.start();
    await this.#parts.signals.start(listenAddress);
  }

  /** Counts a request whose key was taken, however early that was found. */
  countTaken(surface: string, outcome: Taken['outcome']): void {
    const { counters } = this.#parts;
    if (outcome === 'replay') counters.replayed(surface);
    else counters.conflicted(surface);
  }

  accept(request: AcceptRequest): Promise<Accepted> {
    return acceptJob(this.#parts, this.#intake, request);
  }

  runOnce(
    accountId: string,
    identity: RequestIdentity,
    run: Parameters<typeof runOnce>[3],
  ): Promise<RanOnce> {
    return runOnce(this.#parts, accountId, identity, run);
  }

  wait(jobId: string, waitMs: number, leave?: AbortSignal): Promise<JobRecord> {
    return waitForJob(this.#parts, jobId, waitMs, leave);
  }

  /** Returns false if the job had already settled. */
  cancel(jobId: string, alongside?: (tx: Tx, job: JobRecord) => Promise<void>): Promise<boolean> {
    return endJob(this.#parts, jobId, 'cancelled', alongside);
  }

  /** The number of tasks that this process runs at the moment. */
  get running(): number {
    return this.#workers.reduce((sum, { size }) => sum + size, 0);
  }

  reconcile(graceMs?: number): Promise<number> {
    return reconcileJobs(this.#parts, graceMs);
  }

  startWorkers(options: WorkerOptions): void {
    const parts = this.#parts;
    const { queue, signals, services } = parts;
    const { onError } = options;
    const deliver = async (task: Claimed<'webhook'>) => {
      await options.deliver(task.data.deliveryId);
      await queue.complete('webhook', task);
    };
    const tallies = new SliceTallies(parts, onError);
    this.#tallies = tallies;
    const workers = [
      new QueueWorker({
        queue,
        signals,
        services,
        needs: ['database', 'blobs'],
        name: 'slice',
        concurrency: options.slices,
        claim: (limit) => queue.claimSlices(limit, parts.clock.now()),
        handle: (task, stop) => workSlice(parts, tallies, task, stop),
        onError,
      }),
      new QueueWorker({
        queue,
        signals,
        services,
        needs: ['database', 'blobs'],
        name: 'settle',
        concurrency: options.settles,
        handle: (task, stop) => workSettle(parts, task, stop),
        onError,
      }),
      new QueueWorker({
        queue,
        signals,
        services,
        needs: ['database'],
        name: 'webhook',
        concurrency: options.webhooks,
        handle: deliver,
        onError,
      }),
    ];
    for (const worker of workers) worker.start();
    this.#workers = workers;
    const reconcile = { name: 'jobs', everyMs: RECONCILE_MS, run: () => reconcileJobs(parts) };
    this.#tickers = onOneNode(parts, [reconcile, ...options.chores]).map(
      (chore) => new Ticker(chore, onError),
    );
    for (const ticker of this.#tickers) ticker.start();
  }

  /** Stops the workers and chores. Running work has `graceMs` to end. */
  async stopWorkers(graceMs: number): Promise<void> {
    // In parallel: a long sweep must not keep the workers from releasing their tasks.
    const tickers = this.#tickers.map((ticker) => ticker.stop());
    await Promise.all(this.#workers.map((worker) => worker.stop(graceMs)));
    await this.#tallies?.stop(COUNT_MS);
    await Promise.all(tickers);
    this.#workers = [];
    this.#tickers = [];
  }

  async stop(graceMs: number): Promise<void> {
    await this.stopWorkers(graceMs);
    this.#parts.services.close();
    await this.#parts.queue.stop();
    await this.#parts.signals.close();
  }
}
