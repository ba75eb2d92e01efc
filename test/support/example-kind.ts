import { sql } from 'kysely';
import type { Announcement, FailedOutcome, JobKind } from '#engine/job-kind.ts';
import type { Tx } from '#storage/database.ts';

/**
 * The smallest useful kind: sums the numbers 1…n in slices. Rows listed in `failing` fail; each finished slice inserts
 * one row into `example_effects`, so a test can detect an effect that happened twice.
 */
export interface SumInput {
  readonly count: number;
  readonly sliceSize: number;
  readonly failing?: readonly number[];
  readonly failLimit?: number;
  readonly ordered?: boolean;
  readonly announce?: boolean;
  readonly webhook?: { readonly url: string; readonly secrets: string };
}
export interface SumSlice {
  readonly from: number;
  readonly to: number;
}
export interface SumResult {
  readonly sum: number;
}

export interface SumHooks {
  beforeSlice?(n: number, attempt: number, signal: AbortSignal): Promise<void> | void;
  /** Writes a failed outcome. */
  writeFailure?(tx: Tx, jobId: string): Promise<void>;
}

export function sumKind(hooks: SumHooks = {}): JobKind<SumInput, SumSlice, SumResult> {
  const { writeFailure } = hooks;
  const failed = (jobId: string, code: string, message: string): FailedOutcome => ({
    state: 'failed',
    error: { code, message },
    ...(writeFailure && { write: (tx) => writeFailure(tx, jobId) }),
  });
  return {
    name: 'example.sum',

    plan({ count, sliceSize, failLimit, ordered }) {
      const slices = [];
      for (let from = 1; from <= count; from += sliceSize) {
        const to = Math.min(count, from + sliceSize - 1);
        slices.push({ input: { from, to }, rows: to - from + 1 });
      }
      return { slices, ...(ordered && { ordered }), ...(failLimit && { failLimit }) };
    },

    async runSlice({ jobId, n, attempt, slice, input, signal }) {
      await hooks.beforeSlice?.(n, attempt, signal);
      const { from, to } = slice;
      const failing = (input.failing ?? []).filter((row) => row >= from && row <= to);
      const sum = ((from + to) * (to - from + 1)) / 2 - failing.reduce((a, b) => a + b, 0);
      const write = async (tx: Tx) => {
        await sql`insert into example_effects (job_id, n, attempt) values (${jobId}, ${n}, ${attempt})`.execute(
          tx,
        );
      };
      return { result: { sum }, rowsFailed: failing.length, write };
    },

    async finish({ slices, job }) {
      if (
        job.fail_limit !== null &&
        slices.reduce((sum, slice) => sum + slice.rowsFailed, 0) >= job.fail_limit
      ) {
        return failed(job.id, 'TOO_MANY_FAILED', 'Too many rows failed.');
      }
      return {
        state: 'completed',
        outcome: { sum: slices.reduce((sum, slice) => sum + (slice.result?.sum ?? 0), 0) },
      };
    },

    failure: (reason, { job }) =>
      failed(job.id, reason === 'cancelled' ? 'CANCELLED' : 'GAVE_UP', `The job was ${reason}.`),

    async announce({ job, input, eventId }): Promise<Announcement | undefined> {
      if (input.announce !== true) return undefined;
      const targets = input.webhook
        ? [
            {
              url: input.webhook.url,
              scheme: 'bulkfill' as const,
              secrets: Buffer.from(input.webhook.secrets, 'base64'),
            },
          ]
        : [];
      return {
        surface: 'bulkfill',
        type: `example.${job.state}`,
        body: { event_id: eventId, job_id: job.id, status: job.state },
        targets,
      };
    },
  };
}

export const exampleEffectsTable =
  'create table if not exists example_effects (job_id uuid not null, n int not null, attempt int not null)';
