import { z } from 'zod';
import { canonicalDigest } from '#engine/requests/request-identity.ts';
import type { ExportJob, problemRowsSchema } from '../contract.ts';
import { create, readJson, type ToolContext } from './api.ts';
import { type Row, requireExactNumbers } from './rows.ts';
import { cutText } from './small-results.ts';
import { retryOf } from './tool-failure.ts';

export const jobIdInput = z.string().min(1).max(100).describe('The job_id of an earlier result');

/** Clients give up a call after a minute by default, and so do proxies. */
const MAX_WAIT_SECONDS = 45;
/** For tools that do more after the wait. */
export const INNER_WAIT_SECONDS = 30;

export const waitInput = (what: string, usual: number) =>
  z.int().min(0).max(MAX_WAIT_SECONDS).default(usual).describe(what);

export const jobPath = (jobId: string): string => `/export-jobs/${encodeURIComponent(jobId)}`;

export interface JobRequest {
  /** A project with its version. */
  readonly project: string;
  readonly rows: readonly Row[];
  readonly options: Readonly<Record<string, unknown>>;
}

interface CreatedJob {
  readonly job: ExportJob;
  readonly key: string;
}

/** A result that has expired cannot be read again. Results are kept for a quarter of the time that a key is. */
const MAX_EXPIRED_RESULTS = 8;

/**
 * Creates a job under a key that follows from the request, so that a repeated call returns the same job. When the files of
 * that job have expired, the next key in line makes a new one.
 */
export async function createOnce(
  context: ToolContext,
  request: JobRequest,
  waitSeconds: number,
): Promise<CreatedJob> {
  const digest = canonicalDigest(request).toString('hex').slice(0, 40);
  for (let turn = 1; ; turn += 1) {
    const key = `mcp-${digest}-${turn}`;
    const job = await createJob(context, request, key, waitSeconds);
    if (job.result?.download_url !== null || turn === MAX_EXPIRED_RESULTS) return { job, key };
  }
}

/** A job that failed is a result, not an error. */
export function createJob(
  context: ToolContext,
  { project, rows, options }: JobRequest,
  key: string,
  waitSeconds: number,
): Promise<ExportJob> {
  requireExactNumbers(rows);
  return create(context, '/export-jobs', { key, waitSeconds, body: { project, rows, ...options } }, isJob);
}

const isJob = (body: unknown): body is ExportJob =>
  typeof body === 'object' && body !== null && 'job_id' in body && 'status' in body;

/** A job in short. */
export function jobView({ job_id, status, result, error, ...times }: ExportJob) {
  return {
    job_id,
    status,
    created_at: times.created_at,
    ...(times.completed_at !== undefined && { completed_at: times.completed_at }),
    ...(result !== undefined && {
      file_size_bytes: result.file_size_bytes,
      available_until: result.download_url === null ? null : result.expires_at,
    }),
    ...(error !== undefined && {
      error: { ...error, message: cutText(error.message), retry: retryOf(error.code, 500) },
    }),
  };
}

type ProblemRows = z.infer<typeof problemRowsSchema>;

export interface ProblemPage {
  readonly problems: readonly object[];
  readonly next_cursor: string | null;
}

/** Reads problems of a job without the members that are null. */
export async function readProblems(
  context: ToolContext,
  jobId: string,
  query: {
    readonly limit: number;
    readonly status?: string | undefined;
    readonly cursor?: string | undefined;
  },
): Promise<ProblemPage> {
  const page = await readJson<ProblemRows>(context, `${jobPath(jobId)}/problem-rows`, query);
  const problems = page.data.map(({ message, ...problem }) => ({
    ...Object.fromEntries(Object.entries(problem).filter(([, value]) => value !== null)),
    message: cutText(message),
  }));
  return { problems, next_cursor: page.next_cursor };
}
