import type { Command } from 'commander';
import { countSealed } from '#engine/rotation/reseal.ts';
import { loadSecretRing } from '#engine/secret-ring.ts';
import { keyIdOf } from '#engine/secrets.ts';
import type { Db } from '#storage/database.ts';
import { listReplacedKeys, lockMark } from '#storage/installation.ts';
import { printJson } from './answer.ts';
import { readConfig } from './read-config.ts';
import { printTable } from './table.ts';
import { requireInstallation, withDatabase } from './with-database.ts';

interface ShownKey {
  readonly kind: 'secret_key' | 'seal_key';
  readonly fingerprint: string;
  readonly state: 'current' | 'replaced' | 'retired';
  readonly replaced_at: string | null;
  readonly retired_at: string | null;
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
  const keys = await withDatabase(config, ({ db }) => listKeys(db, here));
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

async function listKeys(db: Db, here: ReadonlySet<string>): Promise<ShownKey[]> {
  const counts = await countSealed(db);
  const replaced = await listReplacedKeys(db);
  const shown = (['secret_key', 'seal_key'] as const).map(async (kind): Promise<ShownKey[]> => {
    const current = await db.transaction().execute((tx) => lockMark(tx, kind));
    const all = [
      ...(current === undefined ? [] : [{ fingerprint: current, replaced_at: null, retired_at: null }]),
      ...replaced.filter((key) => key.kind === kind),
    ];
    return all.map(({ fingerprint, replaced_at, retired_at }) => ({
      kind,
      fingerprint,
      state: replaced_at === null ? 'current' : retired_at === null ? 'replaced' : 'retired',
      replaced_at: replaced_at?.toISOString() ?? null,
      retired_at: retired_at?.toISOString() ?? null,
      values: kind === 'seal_key' ? null : (counts.get(keyIdOf(fingerprint).toString('hex')) ?? 0),
      here: kind === 'seal_key' ? null : here.has(fingerprint),
    }));
  });
  return (await Promise.all(shown)).flat();
}
