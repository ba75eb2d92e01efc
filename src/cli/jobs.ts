import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { z } from 'zod';
import type { ExportJob, ProblemRow, RetryRows, Rowpress } from '#client/rowpress.ts';
import { printJson, printLines, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { reason } from './files.ts';
import { percentage } from './fill/row-options.ts';
import { wholeNumber } from './option-values.ts';
import { calling } from './remote/calling.ts';
import { connect, type ServerFlags, withServerOptions } from './remote/connection.ts';
import { describe, wireOf } from './remote/job-report.ts';
import { announceKey, idempotencyKey } from './remote/request-key.ts';
import { follow } from './submit.ts';
import { printTable } from './table.ts';

const MOST_LISTED = 100_000;

/** `rowpress jobs …`: the Bulk Fill jobs of the key's account. */
export function jobsCommand(): Command {
  const jobs = new Command('jobs').description('List, show, cancel and retry the Bulk Fill jobs of a server');
  withServerOptions(
    jobs
      .command('list')
      .description('List jobs, newest first')
      .option('--limit <n>', 'Number of jobs', wholeNumber(1, MOST_LISTED), 25),
  ).action(list);
  withServerOptions(
    jobs
      .command('show')
      .description('Show a job and the rows that failed or have notes')
      .argument('<job>', 'Job id')
      .option('--problems <n>', 'Number of problem rows to show', wholeNumber(0, MOST_LISTED), 100),
  ).action(show);
  withServerOptions(
    jobs
      .command('cancel')
      .description('Cancel an open job, or delete the files of a settled one')
      .argument('<job>', 'Job id'),
  ).action(cancel);
  withServerOptions(
    jobs
      .command('retry')
      .description('Create a job from the rows that failed, or from all rows of a failed job')
      .argument('<job>', 'Job id')
      .option('--rows <file>', 'JSON with corrected rows: [{"row_number": 3, "cells": {"column_0": "…"}}]')
      .option('--max-failed-row-percent <n>', 'Threshold of the new job (default: as before)', percentage)
      .option(
        '--idempotency-key <key>',
        'Key of an earlier run of this command (default: a new one)',
        idempotencyKey,
      )
      .option('--wait', 'Wait until the job has completed or failed', false)
      .option('-o, --output <file>', 'Wait, then download the ZIP to this file; - is standard output'),
  ).action(retry);
  return jobs;
}

async function take<T>(source: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  if (count === 0) return taken;
  for await (const element of source) {
    taken.push(element);
    if (taken.length === count) break;
  }
  return taken;
}

async function list(flags: ServerFlags & { readonly limit: number }): Promise<void> {
  const client = connect(flags);
  const jobs = await calling(() => take(client.bulkfill.list(), flags.limit));
  if (flags.json) return printJson({ jobs: jobs.map(wireOf) });
  printTable(
    ['JOB', 'STATUS', 'CREATED', 'BYTES', 'ERROR'],
    jobs.map((job) => [
      job.jobId,
      job.status,
      job.createdAt,
      job.result === undefined ? '' : String(job.result.fileSizeBytes),
      job.error?.code ?? '',
    ]),
  );
}

async function show(jobId: string, flags: ServerFlags & { readonly problems: number }): Promise<void> {
  const client = connect(flags);
  const job = await calling(() => client.bulkfill.get(jobId));
  const problems = await calling(() => take(client.bulkfill.problemRows(jobId), flags.problems));
  if (flags.json) return printJson({ ...wireOf(job), problem_rows: problems.map(wireOf) });
  printLines([
    `job        ${job.jobId}`,
    `status     ${job.status}`,
    `created    ${job.createdAt}`,
    ...(job.completedAt === undefined ? [] : [`completed  ${job.completedAt}`]),
  ]);
  if (problems.length > 0) printTable(['ROW', 'STATUS', 'CODE', 'COLUMN', 'MESSAGE'], problems.map(cellsOf));
  tell(`rowpress: ${describe(job)}`);
}

const cellsOf = ({ rowNumber, status, code, columnLabel, column, message }: ProblemRow): string[] => [
  String(rowNumber),
  status,
  code,
  columnLabel ?? column ?? '',
  message,
];

async function cancel(jobId: string, flags: ServerFlags): Promise<void> {
  const client = connect(flags);
  const job = await calling(() => client.bulkfill.cancel(jobId));
  if (flags.json) return printJson(wireOf(job));
  tell(
    job.status === 'failed'
      ? `Job ${jobId} is cancelled.`
      : `Job ${jobId} had already ${job.status === 'completed' ? 'completed' : 'ended'}; its files are deleted.`,
  );
}

interface RetryFlags extends ServerFlags {
  readonly rows?: string;
  readonly maxFailedRowPercent?: number;
  readonly idempotencyKey?: string;
  readonly wait: boolean;
  readonly output?: string;
}

async function retry(jobId: string, flags: RetryFlags): Promise<void> {
  const client = connect(flags);
  const changes: RetryRows = {
    ...(flags.rows !== undefined && { rows: await readRows(flags.rows) }),
    ...(flags.maxFailedRowPercent !== undefined && { maxFailedRowPercent: flags.maxFailedRowPercent }),
  };
  const key = announceKey(flags.idempotencyKey);
  const job = await startRetry(client, jobId, changes, key);
  await follow(client, job, { ...flags, more: { retry_of: jobId, idempotency_key: key } });
}

function startRetry(client: Rowpress, jobId: string, changes: RetryRows, key: string): Promise<ExportJob> {
  return calling(() => client.bulkfill.retry(jobId, changes, { idempotencyKey: key }));
}

const rowsSchema = z.array(
  z.strictObject({
    row_number: z.int().min(1),
    cells: z.record(z.string(), z.union([z.string(), z.null()])),
  }),
);

async function readRows(path: string): Promise<NonNullable<RetryRows['rows']>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandFailed('USAGE', `${path} cannot be read: ${reason(error)}`);
  });
  try {
    return rowsSchema
      .parse(JSON.parse(text))
      .map(({ row_number, cells }) => ({ rowNumber: row_number, cells }));
  } catch {
    throw new CommandFailed(
      'USAGE',
      `${path} must be a JSON array such as [{"row_number": 3, "cells": {"column_0": "…"}}], with texts or null as cells.`,
    );
  }
}
