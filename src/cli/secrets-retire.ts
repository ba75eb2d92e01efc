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
    .description('end the use of replaced secrets, or with --seal of replaced seal keys')
    .option('--seal', 'retire replaced seal keys instead; packages sealed with them are refused')
    .option('--early', 'do not wait until requests and download links made with the old secret have expired')
    .option('--json', 'print one JSON object')
    .action(run);
}

async function run({ seal, early = false, json }: RetireOptions): Promise<void> {
  const { config } = readConfig();
  const retired = await withDatabase(config, ({ db }) =>
    seal ? retireSeals(db, config, systemClock) : retireSecrets(db, config, systemClock, { early }),
  );
  if (json) return printJson({ retired });
  if (retired.length === 0) return tell('There is nothing to retire.');
  tell(`Retired ${retired.join(', ')}.`);
  const variable = seal ? 'ROWPRESS_TRUSTED_SEALS' : 'ROWPRESS_SECRET_KEY_PREVIOUS';
  tell(`Remove it from ${variable} if you set it there, and restart every node.`);
}
