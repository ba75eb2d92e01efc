import { Command } from 'commander';
import { calling } from './remote/calling.ts';
import { connect, type ServerFlags, withServerOptions } from './remote/connection.ts';
import { follow } from './submit.ts';

export function waitCommand(): Command {
  return withServerOptions(
    new Command('wait')
      .description('Wait until a Bulk Fill job has completed or failed')
      .argument('<job>', 'Job id, as printed by submit'),
  ).action(async (jobId: string, flags: ServerFlags) => {
    const client = connect(flags);
    const job = await calling(() => client.bulkfill.get(jobId));
    await follow(client, job, { wait: true, json: flags.json });
  });
}
