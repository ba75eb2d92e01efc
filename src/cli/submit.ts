import { Command } from 'commander';
import type { ExportJob, FormInput, Rowpress } from '#client/rowpress.ts';
import type { Config } from '#config.ts';
import { tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { withRowOptions } from './fill/row-options.ts';
import { calling } from './remote/calling.ts';
import { connect, type ServerFlags, withServerOptions } from './remote/connection.ts';
import { downloaded, downloadJob } from './remote/download-job.ts';
import { type ExportFlags, exportInput, requireFile } from './remote/export-input.ts';
import { failureOf, hintOnInterrupt, printJob } from './remote/job-report.ts';
import { withProgress } from './remote/phase-progress.ts';
import { announceKey, idempotencyKey } from './remote/request-key.ts';
import { sealedPackage } from './remote/sealed-package.ts';
import { spareInputs } from './spare-inputs.ts';

interface SubmitFlags extends ExportFlags, ServerFlags {
  readonly project?: string;
  readonly pdf?: string;
  readonly layout?: string;
  readonly package?: string;
  readonly idempotencyKey?: string;
  readonly wait: boolean;
  readonly output?: string;
}

/** `rowpress submit`: what `rowpress fill` does, as a job of a server. */
export function submitCommand(readSettings: () => Config): Command {
  const command = new Command('submit')
    .description('Create a Bulk Fill job on a server')
    .option(
      '--project <name>',
      'Project of the server, by name or id, optionally with @version; instead of --pdf and a layout',
    )
    .option('--pdf <file>', 'Source PDF')
    .option(
      '--layout <file>',
      'Sealed package (.doqlo), or layout.json, which is sealed with the key of this machine',
    )
    .option('--package <file>', 'Sealed package (.doqlo)')
    .option('--rows <file>', 'Rows as .csv, .json or .xlsx; - is CSV on standard input')
    .option('--rows-from <name>', 'Rows that the server stores, such as subscribers:status=Active')
    .option('--assets <file>', 'ZIP with the pictures (PNG, JPEG) that cells name');
  withRowOptions(command)
    .option('--dry-run', 'Check all rows and make only the manifest', false)
    .option(
      '--idempotency-key <key>',
      'Key of an earlier run of this command (default: a new one)',
      idempotencyKey,
    )
    .option('--wait', 'Wait until the job has completed or failed', false)
    .option('-o, --output <file>', 'Wait, then download the ZIP to this file; - is standard output');
  return withServerOptions(command).action((flags: SubmitFlags) => run(flags, readSettings));
}

async function run(flags: SubmitFlags, readSettings: () => Config): Promise<void> {
  const client = connect(flags);
  const { project, pdf, layout, package: sealed, rows, assets, output } = flags;
  const inputs = [pdf, layout, sealed, rows, assets].filter((path) => path !== undefined && path !== '-');
  const overwriting = await spareInputs(inputs as string[], [output]);
  if (overwriting !== null) throw new CommandFailed(overwriting.code, overwriting.message);
  const form = project === undefined ? await filesOf(flags, readSettings) : projectOf(project, flags);
  const input = await exportInput(flags, form);
  const key = announceKey(flags.idempotencyKey);
  const job = await calling(() =>
    withProgress((onProgress) => client.bulkfill.create(input, { idempotencyKey: key, onProgress })),
  );
  await follow(client, job, { ...flags, more: { idempotency_key: key } });
}

function projectOf(project: string, { pdf, layout, package: sealed }: SubmitFlags): FormInput {
  if ((pdf ?? layout ?? sealed) !== undefined)
    throw new CommandFailed('USAGE', 'Pass either --project NAME, or --pdf FILE and a layout.');
  return { project };
}

async function filesOf(flags: SubmitFlags, readSettings: () => Config): Promise<FormInput> {
  const { pdf, layout, package: sealed } = flags;
  const given = layout ?? sealed;
  if (pdf === undefined) throw new CommandFailed('USAGE', 'Pass --pdf FILE, or --project NAME.');
  if (given === undefined || (layout !== undefined && sealed !== undefined))
    throw new CommandFailed('USAGE', 'Pass either --layout FILE or --package FILE.');
  await requireFile(pdf);
  return { pdf, package: await sealedPackage(given, pdf, readSettings) };
}

export interface FollowFlags {
  readonly wait: boolean;
  readonly output?: string;
  readonly json: boolean;
  /** Further members for `--json`. */
  readonly more?: object;
}

/** Waits for a new job and downloads it, as the options say, and prints the result. */
export async function follow(client: Rowpress, created: ExportJob, flags: FollowFlags): Promise<void> {
  const { json, output, more = {} } = flags;
  const unhint = hintOnInterrupt(created.jobId);
  const waits = flags.wait || output !== undefined;
  if (waits) tell(`rowpress: job ${created.jobId}`);
  const job = waits ? await waitFor(client, created.jobId) : created;
  // Standard output carries the ZIP alone.
  const to = output === '-' ? process.stderr : process.stdout;
  if (output === undefined || failureOf(job) !== undefined) {
    unhint();
    return printJob(job, { json, more, to });
  }
  const zip = await calling(() => downloadJob(client, job.jobId, output));
  unhint();
  if (output === '-') return tell(`rowpress: ${job.jobId}: ${downloaded(zip)}`);
  printJob(job, { json, more: { ...more, ...zip }, words: `${output}: ${downloaded(zip)}` });
}

export function waitFor(client: Rowpress, jobId: string): Promise<ExportJob> {
  return calling(() => withProgress((onProgress) => client.bulkfill.wait(jobId, { onProgress })));
}
