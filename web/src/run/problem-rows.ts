import type { z } from 'zod';
import type { problemRowsSchema } from '#bulkfill/contract.ts';
import { callJson } from '../api/operator-client.ts';

export type ProblemRow = z.infer<typeof problemRowsSchema>['data'][number];

export interface ListedProblems {
  readonly rows: readonly ProblemRow[];
  /** Whether the server has more than these. */
  readonly more: boolean;
}

export interface JobAddress {
  readonly id: string;
  readonly account: string;
}

export const jobPath = (id: string): string => `/acting/bulkfill/export-jobs/${id}`;

/** The largest page of the route. */
const PAGE = 1_000;

async function loadPage({ id, account }: JobAddress, cursor: string | null, status?: ProblemRow['status']) {
  return callJson<z.infer<typeof problemRowsSchema>>(`${jobPath(id)}/problem-rows`, {
    account,
    query: { limit: PAGE, cursor, status },
  });
}

/** The first problem rows of a job. */
export async function loadProblems(job: JobAddress): Promise<ListedProblems> {
  const { data, next_cursor } = await loadPage(job, null);
  return { rows: data, more: next_cursor !== null };
}

/** Every problem row that the server keeps, at most 10,000. */
export async function loadAllProblems(
  job: JobAddress,
  status?: ProblemRow['status'],
): Promise<readonly ProblemRow[]> {
  const found: ProblemRow[] = [];
  let cursor: string | null = null;
  do {
    const { data, next_cursor }: z.infer<typeof problemRowsSchema> = await loadPage(job, cursor, status);
    found.push(...data);
    cursor = next_cursor;
  } while (cursor !== null);
  return found;
}
