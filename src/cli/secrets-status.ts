import type { Command } from 'commander';
import { type ListedKey, listKeys } from '#engine/rotation/list-keys.ts';
import { countSealed } from '#engine/rotation/reseal.ts';
import { loadSecretRing } from '#engine/secret-ring.ts';
import { keyIdOf } from '#engine/secrets.ts';
import type { Db } from '#storage/database.ts';
import { printJson } from './answer.ts';
import { readConfig } from './read-config.ts';
import { printTable } from './table.ts';
import { requireInstallation, withDatabase } from './with-database.ts';

interface ShownKey extends ListedKey {
  readonly kind: 'secret_key' | 'seal_key';
  /** Number of stored values sealed with it; null for seal keys. */
  readonly values: number | null;
  /** Whether the settings of this machine include the secret; null for seal keys. */
  readonly here: boolean | null;
}

export function registerSecretsStatus(secrets: Command): void {
  secrets
    .command('status')
    .description('Show current and replaced keys, and how many stored values each one sealed')
    .option('--json', 'Print one JSON object')
    .action(run);
}

async function run({ json }: { readonly json?: true }): Promise<void> {
  const { config } = readConfig();
  // Reading the secret would create it.
  requireInstallation(config);
  const here = new Set((await loadSecretRing(config)).fingerprints());
  const keys = await withDatabase(config, ({ db }) => shownKeys(db, here));
  if (json) return printJson({ keys });
  const rows = keys.map(({ kind, fingerprint, state, replaced_at, values, here: known }) => [
    kind,
    fingerprint,
    state,
    replaced_at ?? '',
    values === null ? '' : String(values),
    known === false ? 'no' : '',
  ]);
  printTable(['KIND', 'FINGERPRINT', 'STATE', 'REPLACED', 'VALUES', 'HERE'], rows);
}

async function shownKeys(db: Db, here: ReadonlySet<string>): Promise<ShownKey[]> {
  const counts = await countSealed(db);
  const secrets = await listKeys(db, 'secret_key');
  const seals = await listKeys(db, 'seal_key');
  return [
    ...secrets.map((key) => ({
      kind: 'secret_key' as const,
      ...key,
      values: counts.get(keyIdOf(key.fingerprint).toString('hex')) ?? 0,
      here: here.has(key.fingerprint),
    })),
    ...seals.map((key) => ({ kind: 'seal_key' as const, ...key, values: null, here: null })),
  ];
}
