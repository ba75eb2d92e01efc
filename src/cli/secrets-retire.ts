import type { Command } from 'commander';
import { retireSecrets } from '#engine/rotation/retire-secrets.ts';
import { systemClock } from '#lib/clock.ts';
import { printJson, tell } from './answer.ts';
import { readConfig } from './read-config.ts';
import { retireSeals } from './secrets/retire-seals.ts';
import { withDatabase } from './with-database.ts';

interface RetireOptions {
  readonly seal?: true;
  readonly early?: boolean;
  readonly json?: true;
}

export function registerSecretsRetire(secrets: Command): void {
  secrets
    .command('retire')
    .description('End the use of replaced secrets, or of replaced seal keys with --seal')
    .option('--seal', 'Retire replaced seal keys instead; packages sealed with them are rejected')
    .option('--early', 'Do not wait until requests and download links made with the old secret have expired')
    .option('--json', 'Print one JSON object')
    .action(run);
}

async function run({ seal, early = false, json }: RetireOptions): Promise<void> {
  const { config } = readConfig();
  const retired = await withDatabase(config, ({ db }) =>
    seal ? retireSeals(db, config, systemClock) : retireSecrets(db, config, systemClock, { early }),
  );
  if (json) return printJson({ retired });
  if (retired.length === 0) return tell('Nothing to retire.');
  tell(`Retired ${retired.join(', ')}.`);
  const variable = seal ? 'ROWPRESS_TRUSTED_SEALS' : 'ROWPRESS_SECRET_KEY_PREVIOUS';
  tell(`Remove them from ${variable} if they are listed there, and restart every node.`);
}
