import { exitOf } from '#cli/command-codes.ts';
import { toSnake } from '#client/camel-case.ts';
import type { ExportJob } from '#client/rowpress.ts';
import { printJson, tell } from '../answer.ts';

/** Returns the members of a job as the API names them. */
export const wireOf = (job: object): object => toSnake(job) as object;

export interface PrintedJob {
  readonly json: boolean;
  /** Further members for `--json`. */
  readonly more?: object;
  readonly to?: NodeJS.WriteStream;
  /** For people; by default the state of the job and the next command. */
  readonly words?: string;
}

/**
 * Prints a job. A failed one sets the exit code: 3 if too many rows failed, otherwise 1. With `--json`, standard output gets one object;
 * otherwise it gets the job id alone, for scripts.
 */
export function printJob(
  job: ExportJob,
  { json, more = {}, to = process.stdout, words = describe(job) }: PrintedJob,
): void {
  const failure = failureOf(job);
  if (failure !== undefined) process.exitCode = exitOf(failure.code);
  if (json) printJson({ ...failure, ...wireOf(job), ...more });
  else {
    to.write(`${job.jobId}\n`);
    tell(`rowpress: ${words}`);
  }
}

export function failureOf(job: ExportJob): { code: string; message: string } | undefined {
  if (job.status !== 'failed') return undefined;
  return { code: job.error?.code ?? 'EXPORT_FAILED', message: job.error?.message ?? 'The job failed.' };
}

/** Describes the state of a job in one sentence, with the next command. */
export function describe(job: ExportJob): string {
  const { jobId, status, result } = job;
  const failure = failureOf(job);
  if (failure !== undefined)
    return `The job failed: ${failure.message} (${failure.code}). To see the rows, run: rowpress jobs show ${jobId}`;
  if (status !== 'completed') return `The job is ${status}. To wait for it, run: rowpress wait ${jobId}`;
  if (result?.downloadUrl == null) return 'The job has completed. Its ZIP is no longer available.';
  const until = result.expiresAt === undefined ? '' : ` until ${result.expiresAt}`;
  return `The job has completed (${result.fileSizeBytes} bytes, available${until}). To download it, run: rowpress download ${jobId} -o out.zip`;
}

/** Prints how to continue if the command is interrupted: the job goes on without it. */
export function hintOnInterrupt(jobId: string): () => void {
  const hint = (signal: NodeJS.Signals) => {
    tell(`rowpress: the job continues on the server. To wait for it, run: rowpress wait ${jobId}`);
    process.kill(process.pid, signal);
  };
  process.once('SIGINT', hint);
  return () => void process.off('SIGINT', hint);
}
