import type { Clock } from '#lib/clock.ts';
import type { Ids } from '#lib/ids.ts';
import type { Database, Tx } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import type { Announcement, JobKinds } from './job-kind.ts';
import type { Queue } from './queue/queue.ts';
import type { Signals } from './queue/signals.ts';
import type { Services } from './services.ts';

/** The dependencies of the engine's functions, created once in `main.ts`. */
export interface EngineParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly signals: Signals;
  readonly services: Services;
  readonly kinds: JobKinds;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outbox: Outbox;
  readonly onSettled: SettledHook;
  readonly counters: EngineCounters;
  readonly settings: EngineSettings;
}

export interface EngineSettings {
  readonly deliverySeconds: number;
  readonly artifactSeconds: number;
  readonly sliceTimeoutMs: number;
}

/** Writes an event and its deliveries in the settling transaction. */
export interface Outbox {
  record(tx: Tx, event: OutboxEvent): Promise<void>;
}

export interface OutboxEvent extends Announcement {
  readonly eventId: string;
  readonly accountId: string;
  readonly jobId: string | null;
  readonly occurredAt: Date;
}

/** Runs in the settling transaction (failure cooldowns). */
export type SettledHook = (tx: Tx, job: JobRecord) => Promise<void>;

/** The engine's counters. The shell chooses the names and labels of the metrics. */
export interface EngineCounters {
  accepted(kind: string): void;
  replayed(surface: string): void;
  conflicted(surface: string): void;
  sliceEnded(kind: string, result: 'done' | 'late' | 'failed' | 'timeout'): void;
  rows(kind: string, done: number, failed: number): void;
  settled(kind: string, state: 'completed' | 'failed'): void;
}
