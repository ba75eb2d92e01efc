import fc from 'fast-check';
import { expect } from 'vitest';
import { type BulkfillClient, badRow, goodRows, rowsJson } from './bulkfill-client.ts';
import type { ShiftedClock } from './bulkfill-server.ts';

/**
 * A small model of Bulk Fill, and commands that apply the same step to the model and to a real server. The model implements only
 * the guarantees of docs/contract/bulkfill.md: a key identifies one job for 24 hours, a result is available for 6, identical
 * work reuses results that are still available, and terminal states never change.
 */
const HOUR_MS = 3_600_000;
const WINDOW_MS = 24 * HOUR_MS;
const DELIVERY_MS = 6 * HOUR_MS;
const FILES_MS = 24 * HOUR_MS;

/** Request bodies that a run chooses from: two that complete and one whose rows all fail. */
export const BODIES = {
  three: rowsJson(goodRows(3)),
  five: rowsJson(goodRows(5)),
  broken: rowsJson([badRow, badRow]),
} as const;
type BodyName = keyof typeof BODIES;

interface Artifact {
  readonly madeAt: number;
  released: boolean;
}
interface ModelJob {
  readonly id: string;
  readonly body: BodyName;
  readonly artifact: Artifact | null;
  readonly expiresAt: number;
  released: boolean;
}

export interface Model {
  readonly jobs: ModelJob[];
  readonly keys: Map<string, { readonly body: BodyName; readonly job: ModelJob; readonly until: number }>;
  /** Rows billed for completed work that was not reused. */
  billed: number;
}

export interface Real {
  readonly client: BulkfillClient;
  readonly clock: ShiftedClock;
  readonly bill: Bill;
}

/** Rows billed to an account. The operator API shows one month, so read this before the clock moves on. */
export class Bill {
  readonly #read: () => Promise<number>;
  readonly #clock: ShiftedClock;
  readonly #months = new Map<string, number>();

  constructor(read: () => Promise<number>, clock: ShiftedClock) {
    this.#read = read;
    this.#clock = clock;
  }

  async note(): Promise<void> {
    this.#months.set(this.#clock.now().toISOString().slice(0, 7), await this.#read());
  }

  async total(): Promise<number> {
    await this.note();
    return [...this.#months.values()].reduce((sum, rows) => sum + rows, 0);
  }
}

type Command = fc.AsyncCommand<Model, Real>;

const deliverable = (job: ModelJob, now: number) =>
  job.artifact !== null && !job.released && now < job.expiresAt;

class Create implements Command {
  readonly key: string;
  readonly body: BodyName;
  constructor(key: string, body: BodyName) {
    this.key = key;
    this.body = body;
  }
  check = () => true;
  toString = () => `create(${this.key}, ${this.body})`;

  async run(model: Model, { client, clock }: Real): Promise<void> {
    const before = clock.now().getTime();
    const answer = await client.create({ rows_json: BODIES[this.body] }, { key: this.key });
    const held = model.keys.get(this.key);
    if (held !== undefined && before < held.until) {
      if (held.body !== this.body) {
        expect([answer.status, answer.body.code, answer.body.differs_in]).toEqual([
          409,
          'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
          ['rows'],
        ]);
        return;
      }
      expect(answer.body.job_id).toBe(held.job.id);
      expect(answer.status).toBe(held.body === 'broken' ? 500 : 200);
      return;
    }
    const id = answer.body.job_id;
    expect(model.jobs.map((job) => job.id)).not.toContain(id);
    expect(answer.status).toBe(this.body === 'broken' ? 500 : 200);
    const job = this.#settled(model, id, before);
    model.jobs.push(job);
    model.keys.set(this.key, { body: this.body, job, until: before + WINDOW_MS });
  }

  #settled(model: Model, id: string, now: number): ModelJob {
    const { body } = this;
    if (body === 'broken') return { id, body, artifact: null, expiresAt: 0, released: false };
    const earlier = model.jobs.find((job) => job.body === body && deliverable(job, now));
    if (earlier?.artifact) {
      const expiresAt = Math.min(now + DELIVERY_MS, earlier.artifact.madeAt + FILES_MS);
      return { id, body, artifact: earlier.artifact, expiresAt, released: false };
    }
    model.billed += body === 'three' ? 3 : 5;
    return {
      id,
      body,
      artifact: { madeAt: now, released: false },
      expiresAt: now + DELIVERY_MS,
      released: false,
    };
  }
}

/** Base of all commands on an earlier job; picks one of the existing jobs. */
abstract class OnJob implements Command {
  readonly choice: number;
  abstract readonly name: string;
  constructor(choice: number) {
    this.choice = choice;
  }
  check = (model: Readonly<Model>) => model.jobs.length > 0;
  toString = () => `${this.name}(${this.choice})`;
  abstract run(model: Model, real: Real): Promise<void>;

  protected chosen(model: Model): ModelJob {
    const job = model.jobs[this.choice % model.jobs.length];
    if (job === undefined) throw new Error('bug: a command ran without a job');
    return job;
  }
}

class Poll extends OnJob {
  readonly name = 'poll';
  async run(model: Model, { client, clock }: Real): Promise<void> {
    const job = this.chosen(model);
    const { status, body } = await client.get(job.id);
    expect(status).toBe(200);
    expect(body.status).toBe(job.artifact === null ? 'failed' : 'completed');
    const url = deliverable(job, clock.now().getTime())
      ? `/v1/bulkfill/export-jobs/${job.id}/download`
      : null;
    expect(body.result?.download_url).toBe(job.artifact === null ? undefined : url);
  }
}

class Download extends OnJob {
  readonly name = 'download';
  async run(model: Model, { client, clock }: Real): Promise<void> {
    const job = this.chosen(model);
    const open = deliverable(job, clock.now().getTime());
    const answer = await client.fetch(`/v1/bulkfill/export-jobs/${job.id}/download`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(answer.status).toBe(open ? 200 : 404);
    if (open) expect(String.fromCharCode(...bytes.subarray(0, 2))).toBe('PK');
  }
}

class Release extends OnJob {
  readonly name = 'release';
  async run(model: Model, { client }: Real): Promise<void> {
    const job = this.chosen(model);
    const answer = await client.request(`/v1/bulkfill/export-jobs/${job.id}`, { method: 'DELETE' });
    expect(answer.status).toBe(200);
    expect(answer.body.status).toBe(job.artifact === null ? 'failed' : 'completed');
    job.released = true;
  }
}

class Wait implements Command {
  readonly hours: number;
  constructor(hours: number) {
    this.hours = hours;
  }
  check = () => true;
  toString = () => `wait(${this.hours} h)`;
  async run(_model: Model, { clock, bill }: Real): Promise<void> {
    await bill.note();
    clock.advance(this.hours * HOUR_MS);
  }
}

const choice = fc.nat({ max: 30 });

/** Half-hour steps keep every comparison far from a boundary that a slow machine could cross. */
export const commands = fc.commands(
  [
    fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<BodyName[]>('three', 'five', 'broken'))
      .map(([key, body]) => new Create(key, body)),
    choice.map((index) => new Poll(index)),
    choice.map((index) => new Download(index)),
    choice.map((index) => new Release(index)),
    fc.constantFrom(0.5, 6.5, 12.5, 24.5).map((hours) => new Wait(hours)),
  ],
  { maxCommands: 50, size: 'max' },
);
