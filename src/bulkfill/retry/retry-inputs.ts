import { engineName } from '#fill/node/engine-name.ts';
import { hasJobBlobs } from '#storage/blob-records.ts';
import type { Db } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import type { ExportInput } from '../export-input.ts';

/** A job that reused a result has the inputs of the job that produced it. */
export const workedBy = (job: Pick<JobRecord, 'id' | 'reused_from'>): string => job.reused_from ?? job.id;

/**
 * Reports whether a retry of the job would draw its rows as the first job did. Another engine, other fonts or another
 * setting for PDF actions would draw them differently.
 */
export async function hasRetryInputs(db: Db, job: JobRecord, keepPdfActions: boolean): Promise<boolean> {
  const { engine } = job.input as unknown as ExportInput;
  return engine === engineName(keepPdfActions) && (await hasJobBlobs(db, workedBy(job), 'input'));
}
