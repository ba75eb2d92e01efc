import type { Command } from 'commander';
import { rotateSecret } from '#engine/rotation/rotate-secret.ts';
import { systemClock } from '#lib/clock.ts';
import { printJson, tell } from './answer.ts';
import { readConfig } from './read-config.ts';
import { rotateSeal } from './secrets/rotate-seal.ts';
import { withDatabase } from './with-database.ts';

export function registerSecretsRotate(secrets: Command): void {
  secrets
    .command('rotate')
    .description('Replace the installation secret, or the seal key with --seal; the old one stays valid')
    .option('--seal', 'Replace the key that seals packages instead')
    .option('--json', 'Print one JSON object')
    .action(run);
}

async function run({ seal, json }: { readonly seal?: true; readonly json?: true }): Promise<void> {
  const { config } = readConfig();
  if (seal) {
    const rotated = await withDatabase(config, ({ db }) => rotateSeal(db, config, systemClock));
    if (json) return printJson(rotated);
    tell(`New seal key ${rotated.current}. Packages sealed with ${rotated.replaced} stay valid.`);
    return tell('Restart every node with the new key.');
  }
  const rotated = await withDatabase(config, ({ db }) => rotateSecret(db, config, systemClock));
  if (json) return printJson(rotated);
  tell(`New secret ${rotated.current}. Resealed ${rotated.resealed} stored values.`);
  tell(
    'Restart every node with the new secret. Later, run `rowpress secrets retire` to end the use of the old one.',
  );
}
