import { Command } from 'commander';
import { printJson, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { calling } from './remote/calling.ts';
import { connect, type ServerFlags, withServerOptions } from './remote/connection.ts';
import { downloaded, downloadJob } from './remote/download-job.ts';

interface DownloadFlags extends ServerFlags {
  readonly output: string;
}

export function downloadCommand(): Command {
  const command = new Command('download')
    .description('Download the ZIP of a completed Bulk Fill job and verify its PDFs')
    .argument('<job>', 'Job id, as printed by submit')
    .requiredOption('-o, --output <file>', 'ZIP to write; - is standard output');
  return withServerOptions(command).action(async (jobId: string, flags: DownloadFlags) => {
    const { output, json } = flags;
    if (json && output === '-') throw new CommandFailed('USAGE', '--json requires -o FILE.');
    const client = connect(flags);
    const zip = await calling(() => downloadJob(client, jobId, output));
    if (json) printJson({ job_id: jobId, ...zip });
    tell(`rowpress: ${output}: ${downloaded(zip)}`);
  });
}
