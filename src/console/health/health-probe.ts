import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '#engine/nodes/heartbeat.ts';
import { currentSandbox } from '#fill/node/sandbox/current.ts';
import type { ByteBudget } from '#lib/byte-budget.ts';
import type { Clock } from '#lib/clock.ts';
import { VERSION } from '#lib/version.ts';
import {
  measureFailedJobs,
  measureFailingDeliveries,
  measureWaitingJobs,
} from '#storage/console/failing-work.ts';
import type { Db } from '#storage/database.ts';
import { type FreeSpace, measureDisk } from '#storage/free-space.ts';
import { listNodes, type NodeRecord } from '#storage/nodes.ts';
import { measureDatabase, measureQueues } from '#storage/observe.ts';
import { measureReplica } from '#storage/read-replica.ts';
import { measureReplication } from '#storage/replication.ts';

/** The period in which failed jobs and given-up deliveries are counted. */
const RECENT_MS = 86_400_000;

/** Failures of background work in this process in the last hour. */
export interface BackgroundFailure {
  readonly kind: string;
  readonly message: string;
  readonly count: number;
  readonly last_at: Date;
}

export interface HealthProbeParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly budget: ByteBudget;
  readonly space: FreeSpace;
  readonly preparedDir: string;
  readonly queueNames: readonly string[];
  readonly role: string;
  readonly workers: number;
  readonly startedAt: Date;
  failures(): readonly BackgroundFailure[];
  outages(): readonly { readonly service: string; readonly since: Date }[];
}

/** Measures the parts that the health page shows. A part that is unavailable is null. */
export class HealthProbe {
  readonly #parts: HealthProbeParts;

  constructor(parts: HealthProbeParts) {
    this.#parts = parts;
  }

  async read() {
    const { db, clock, queueNames, role, workers, startedAt, budget, space } = this.#parts;
    const now = clock.now();
    const since = new Date(now.getTime() - RECENT_MS);
    const [database, replication, readReplica, queues, waiting, webhooks, failedJobs, nodes, disk, prepared] =
      await Promise.all([
        measureDatabase(db),
        measureReplication(db),
        measureReplica(db),
        measureQueues(db, now),
        measureWaitingJobs(db),
        measureFailingDeliveries(db, since),
        measureFailedJobs(db, since),
        listNodes(db),
        this.#disk(),
        this.#prepared(),
      ]);
    const byName = new Map(queues.map((queue) => [queue.queue, queue]));
    const { blob_count, blob_bytes, ...server } = database;
    return {
      database: server,
      replication,
      read_replica: readReplica,
      queues: queueNames.map((name) => ({
        name,
        depth: byName.get(name)?.depth ?? 0,
        oldest_seconds: byName.get(name)?.ageSeconds ?? 0,
      })),
      waiting_jobs: { count: waiting.count, oldest_seconds: secondsSince(waiting.oldest_at, now) },
      webhooks: {
        failing: webhooks.failing,
        failing_since: webhooks.failing_since?.toISOString() ?? null,
        given_up: webhooks.given_up,
        last_given_up_at: webhooks.last_given_up_at?.toISOString() ?? null,
      },
      failed_jobs: failedJobs,
      node: { role, workers },
      nodes: nodes.map((node) => viewNode(node, now)),
      outages: this.#parts.outages().map(({ service, since }) => ({ service, since: since.toISOString() })),
      sandbox: { ...currentSandbox().layers },
      disk: { blob_count, blob_bytes, ...disk, floor_bytes: space.floorBytes },
      memory_budget: { used_bytes: budget.usedBytes, total_bytes: budget.totalBytes },
      prepared_bases: prepared,
      versions: { rowpress: VERSION, node: process.versions.node, postgres: database.version },
      started_at: startedAt.toISOString(),
      uptime_seconds: Math.floor((now.getTime() - startedAt.getTime()) / 1000),
      background_errors: this.#parts.failures().map(({ last_at, ...failure }) => ({
        ...failure,
        last_at: last_at.toISOString(),
      })),
    };
  }

  async #disk(): Promise<{ free_bytes: number | null; total_bytes: number | null }> {
    try {
      const { freeBytes, totalBytes } = await measureDisk(this.#parts.dataDir);
      return { free_bytes: freeBytes, total_bytes: totalBytes };
    } catch {
      return { free_bytes: null, total_bytes: null };
    }
  }

  async #prepared(): Promise<{ count: number; bytes: number }> {
    const folder = this.#parts.preparedDir;
    // The folder is created with the first base.
    const names = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(
      names.map((name) =>
        stat(join(folder, name)).then(
          (file) => (file.isFile() ? file.size : undefined),
          () => undefined,
        ),
      ),
    );
    const files = sizes.filter((size) => size !== undefined);
    return { count: files.length, bytes: files.reduce((sum, size) => sum + size, 0) };
  }
}

function viewNode({ started_at, heartbeat_at, ...node }: NodeRecord, now: Date) {
  return {
    ...node,
    started_at: started_at.toISOString(),
    heartbeat_at: heartbeat_at.toISOString(),
    is_missing: isMissing({ heartbeat_at }, now),
  };
}

const secondsSince = (time: Date | null, now: Date): number =>
  time === null ? 0 : Math.max(0, (now.getTime() - time.getTime()) / 1000);
