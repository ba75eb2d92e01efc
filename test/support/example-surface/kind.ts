import type { JobKind } from '#engine/job-kind.ts';

export interface SumInput {
  readonly numbers: readonly number[];
}

/** Adds numbers, one per slice. */
export const sumKind: JobKind<SumInput, number, number> = {
  name: 'example.sum',
  plan: ({ numbers }) => ({ slices: numbers.map((input) => ({ input, rows: 1 })) }),
  runSlice: async ({ slice }) => ({ result: slice, rowsFailed: 0 }),
  finish: async ({ slices }) => ({
    state: 'completed',
    outcome: { sum: slices.reduce((sum, { result = 0 }) => sum + result, 0) },
  }),
  failure: (reason) => ({
    state: 'failed',
    error: { code: 'BROKEN', message: `The job was ${reason}.` },
  }),
};
