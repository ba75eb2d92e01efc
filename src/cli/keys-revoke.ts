import type { Command } from 'commander';
import { systemClock } from '#lib/clock.ts';
import { revokeKey } from '#storage/keys/api-keys.ts';
import { printJson, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { readConfig } from './read-config.ts';
import { withDatabase } from './with-database.ts';

export function registerKeysRevoke(keys: Command): void {
  keys
    .command('revoke')
    .description('Revoke a key permanently; all nodes reject it within five seconds')
    .argument('<id>', 'Public id of the key, as shown by keys list')
    .option('--json', 'Print one JSON object')
    .action(run);
}

async function run(id: string, { json }: { readonly json?: true }): Promise<void> {
  const { config } = readConfig();
  const revoked = await withDatabase(config, ({ db }) => revokeKey(db, id, systemClock.now()));
  if (revoked === undefined) throw new CommandFailed('KEY_NOT_FOUND', `There is no key "${id}".`);
  const { revokedAt, changed } = revoked;
  if (json) return printJson({ id, revoked_at: revokedAt, changed });
  tell(changed ? `Key ${id} revoked.` : `Key ${id} was already revoked at ${revokedAt.toISOString()}.`);
}
