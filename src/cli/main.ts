import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { EXIT } from './answer.ts';
import { fillCommand } from './fill.ts';
import { layoutCommand } from './layout.ts';

/** The command line. Wrong usage exits 2, whatever the command. */
const program = new Command('rowpress').description('Rows in, documents and records out.');
const env = process.env;
const sealSettings = () => ({
  dataDir: env.ROWPRESS_DATA_DIR ?? './data',
  sealKey: env.ROWPRESS_SEAL_KEY,
  trustedSeals: (env.ROWPRESS_TRUSTED_SEALS ?? '').split(',').filter((key) => key !== ''),
});
program.addCommand(layoutCommand(sealSettings));
program.addCommand(
  fillCommand(() => ({
    ...sealSettings(),
    workers: Number(env.ROWPRESS_WORKERS ?? availableParallelism()),
    sourceDateEpoch: env.SOURCE_DATE_EPOCH,
  })),
);
exitOnUsage(program);
await program.parseAsync();

function exitOnUsage(command: Command): void {
  command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT.usage));
  for (const sub of command.commands) exitOnUsage(sub);
}
