import type { FastifyRequest } from 'fastify';
import type { Db } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { countProblemsBefore, eachSliceProblems } from '#storage/jobs/slice-results.ts';
import type { ProblemRowsQuery } from '../contract.ts';
import { refuse } from '../errors.ts';
import type { BulkfillParts } from '../parts.ts';
import { decodeProblems, MAX_KEPT_PROBLEMS, type RowProblem } from '../row-problems.ts';
import { getOwnedJob } from './find-owned-job.ts';

export interface ProblemPage {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly status?: RowProblem['status'] | undefined;
}

/** `GET …/problem-rows`: lists the problems of a job's rows. */
export async function problemRows(parts: BulkfillParts, request: FastifyRequest, query: ProblemRowsQuery) {
  const job = await getOwnedJob(parts, request);
  const page = await listProblemRows(parts.db, job, query);
  if (page === undefined)
    throw refuse('INVALID_FIELD', 'cursor must be a next_cursor from an earlier page of this list.');
  return { data: page.problems, next_cursor: page.nextCursor };
}

/**
 * Lists problems in row order, from the finished slices. A job that reused a result has the problems of the job that
 * produced it. Returns undefined if the cursor is invalid.
 */
export async function listProblemRows(
  db: Db,
  job: Pick<JobRecord, 'id' | 'reused_from' | 'error_details'>,
  { cursor, limit, status }: ProblemPage,
): Promise<{ readonly problems: RowProblem[]; readonly nextCursor: string | null } | undefined> {
  const start = cursor === undefined ? { n: 0, index: 0 } : parseCursor(cursor);
  if (start === undefined) return undefined;
  const jobId = job.reused_from ?? job.id;
  const lastRow = abortedAt(job.error_details) ?? Number.POSITIVE_INFINITY;
  const problems: RowProblem[] = [];
  let before = await countProblemsBefore(db, jobId, start.n);
  for await (const slice of eachSliceProblems(db, jobId, start.n)) {
    const kept = decodeProblems(slice.problems).slice(0, MAX_KEPT_PROBLEMS - before);
    const first = slice.n === start.n ? start.index : 0;
    for (let index = first; index < kept.length; index += 1) {
      const problem = kept[index] as RowProblem;
      if (problem.row_number > lastRow) return { problems, nextCursor: null };
      if (status !== undefined && problem.status !== status) continue;
      if (problems.length === limit) return { problems, nextCursor: `${slice.n}.${index}` };
      problems.push(problem);
    }
    before += slice.count;
    if (before >= MAX_KEPT_PROBLEMS) break;
  }
  return { problems, nextCursor: null };
}

/** Slice number and position within the slice of the next problem. */
function parseCursor(cursor: string): { n: number; index: number } | undefined {
  const match = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor);
  return match === null ? undefined : { n: Number(match[1]), index: Number(match[2]) };
}

/** The row at which a job over its threshold was aborted. Later slices may have run, but do not count. */
function abortedAt(details: unknown): number | undefined {
  const counts = details as { produced_row_count?: number; failed_row_count?: number } | null;
  if (counts?.produced_row_count === undefined || counts.failed_row_count === undefined) return undefined;
  return counts.produced_row_count + counts.failed_row_count;
}
