import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exitOf } from '#cli/command-codes.ts';
import type { ImportJob, NewImport, Rowpress } from '#client/rowpress.ts';
import { printJson, printLines, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { calling } from './remote/calling.ts';
import { connect, type ServerFlags } from './remote/connection.ts';
import { requireFile } from './remote/export-input.ts';
import { chosenMappings, type MappedColumn, type Mappings } from './remote/import-mappings.ts';
import { wireOf } from './remote/job-report.ts';
import { withProgress } from './remote/phase-progress.ts';
import { announceKey } from './remote/request-key.ts';
import { spareInputs } from './spare-inputs.ts';

export interface SubscriberFlags extends ServerFlags {
  readonly map?: readonly MappedColumn[];
  readonly tag?: string;
  readonly dryRun?: boolean;
  readonly failedRows?: string;
  readonly idempotencyKey?: string;
}

/** Files above this size are uploaded. The server accepts no larger CSV by default. */
const INLINE_BYTES = 50_000_000;

/** Imports the subscribers of a CSV or XLSX file into a server and waits for the result. */
export async function importSubscribers(file: string, flags: SubscriberFlags): Promise<void> {
  const client = connect(flags);
  await requireFile(file);
  const overwriting = await spareInputs([file], [flags.failedRows]);
  if (overwriting !== null) throw new CommandFailed(overwriting.code, overwriting.message);
  const text = await utf8Of(file);
  const { mappings, uploadId } = await calling(() => mappingsOf(client, file, flags));
  const content = text !== undefined ? { csvText: text } : uploadId !== undefined ? { uploadId } : { file };
  const input = {
    ...content,
    mappings,
    ...(flags.tag !== undefined && { newTagName: flags.tag }),
    ...(flags.dryRun && { dryRun: true }),
  } as NewImport;
  const key = announceKey(flags.idempotencyKey);
  const job = await calling(() =>
    withProgress((onProgress) =>
      client.subscribers.importAndWait(input, { idempotencyKey: key, onProgress }),
    ),
  );
  if (flags.failedRows !== undefined && job.failedCount > 0)
    await calling(() => saveFailedRows(client, job.id, flags.failedRows ?? '-'));
  report(job, flags, key);
}

/** Without `--map`, the server suggests fields for the columns of the file. */
async function mappingsOf(
  client: Rowpress,
  file: string,
  { map }: SubscriberFlags,
): Promise<{ mappings: Mappings; uploadId?: string }> {
  if (map !== undefined) return { mappings: await chosenMappings(client, map) };
  const { id, headers, proposedMappings } = await client.subscribers.upload(file);
  for (const { csvColumn, field } of proposedMappings)
    tell(`rowpress: column "${csvColumn}" → ${field.type}`);
  if (!proposedMappings.some(({ field }) => field.type === 'email'))
    throw new CommandFailed(
      'USAGE',
      `No column of ${file} looks like an email address. Pass --map COLUMN=email; its columns are ${headers.join(', ')}.`,
    );
  return { mappings: proposedMappings, uploadId: id };
}

/**
 * Returns the text of a CSV in UTF-8, which is sent inside the request: the same file and key are then the same request, from any
 * machine. A workbook or another encoding is uploaded first.
 */
async function utf8Of(file: string): Promise<string | undefined> {
  if ((await stat(file)).size > INLINE_BYTES) return undefined;
  const bytes = await readFile(file);
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text === '' || text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

async function saveFailedRows(client: Rowpress, jobId: string, target: string): Promise<void> {
  const rows = Readable.fromWeb((await client.subscribers.failedRows(jobId)) as never);
  await pipeline(rows, createWriteStream(target, { mode: 0o600 }));
}

function report(job: ImportJob, { json, failedRows }: SubscriberFlags, key: string): void {
  const { status, rowCount, createdCount, updatedCount, unchangedCount, failedCount } = job;
  const failure =
    status === 'Failed'
      ? { code: 'ROWS_FAILED', message: job.errorMessage ?? 'The import failed.' }
      : failedCount > 0
        ? { code: 'ROWS_FAILED', message: `${failedCount} of ${rowCount} rows could not be imported.` }
        : undefined;
  if (failure !== undefined) process.exitCode = exitOf(failure.code);
  if (json) {
    printJson({ ...failure, ...wireOf(job), idempotency_key: key });
    return;
  }
  printLines([
    `${rowCount} rows: ${createdCount} created, ${updatedCount} updated, ${unchangedCount} unchanged, ${failedCount} failed`,
  ]);
  if (failure === undefined) return;
  const saved =
    failedRows === undefined ? 'Pass --failed-rows FILE to save them.' : `They are in ${failedRows}.`;
  tell(`rowpress: ${failure.message} ${failedCount > 0 ? saved : ''} (${failure.code})`);
}
