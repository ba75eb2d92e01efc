import type { JobDetail } from '#console/contract/jobs.ts';
import type { RunResult } from '../core/runs/run-record.ts';
import type { ListedProblems } from './problem-rows.ts';

/** The result of a settled job. Notes are counted from its problem rows. */
export function resultOf(
  { state, rows, error, artifact }: Pick<JobDetail, 'state' | 'rows' | 'error' | 'artifact'>,
  problems: ListedProblems | null,
): RunResult {
  const listed = (status: string) =>
    new Set(problems?.rows.filter((row) => row.status === status).map(({ row_number }) => row_number)).size;
  const status = state === 'failed' ? 'failed' : 'completed';
  const failed = Math.max(rows.failed, listed('failed'));
  return {
    status,
    created: status === 'failed' ? 0 : rows.total - failed,
    failed,
    partial: Math.max(rows.warned ?? 0, listed('partial')),
    noted: listed('noted'),
    error,
    expiresAt: artifact?.available === true ? artifact.expires_at : null,
    sizeBytes: artifact?.size_bytes ?? null,
  };
}
