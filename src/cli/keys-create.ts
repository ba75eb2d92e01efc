import type { Command } from 'commander';
import { createKey, type KeyOrder } from '#engine/keys/create-key.ts';
import { type Lifetime, lifetimes, readScope, SEAL_SCOPE } from '#engine/keys/key-kinds.ts';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { defaultDaysOf, keyKindsOf, rowSurfaces } from '#main/registries.ts';
import { surfaces } from '#main/surfaces.ts';
import { CommandFailed } from './command-failed.ts';
import { commaList, ipRanges, nameText, oneOf } from './option-values.ts';
import { printKey } from './print-key.ts';
import { readConfig } from './read-config.ts';
import { withDatabase } from './with-database.ts';

const kinds = keyKindsOf(surfaces);
const readable = rowSurfaces(surfaces).join(', ');
const reading = surfaces.filter(({ readsRows }) => readsRows).map(({ name }) => name);
const sealing = kinds.namesWith((kind) => kind.optionalScopes.includes(SEAL_SCOPE));
const partnered = kinds.namesWith((kind) => kind.partnered);

interface Options {
  readonly surface: string;
  readonly account: string;
  readonly days?: Lifetime;
  readonly scopes?: string[];
  readonly read?: string[];
  readonly seal?: true;
  readonly partner?: string;
  readonly warehouses?: string[];
  readonly ip?: string[];
  readonly name?: string;
  readonly json?: true;
}

export function registerKeysCreate(keys: Command): void {
  const command = keys
    .command('create')
    .description('Create an API key and print it once')
    .requiredOption('--surface <surface>', `Surface: ${kinds.surfaces.join(' | ')}`, oneOf(kinds.surfaces))
    .requiredOption('--account <name>', 'Account of the key; created if it does not exist', nameText)
    .option(
      '--days <days>',
      `Lifetime in days: ${lifetimes.join(' | ')} (default: ROWPRESS_BULKFILL_KEY_DAYS and the like; 365 for bulkfill, otherwise none)`,
      oneOf(lifetimes),
    )
    .option('--scopes <a,b>', 'Scopes of the key (default: all)', commaList)
    .option(
      '--read <a,b>',
      `Surfaces whose rows a ${reading} key may read with rows_from: ${readable} (default: none)`,
      commaList,
    )
    .option(
      '--seal',
      `Let a ${sealing} key send layouts that the server seals (default: sealed packages only)`,
    )
    .option('--partner <id>', `Partner of an ${partnered} key (default: the account)`, nameText)
    .option('--warehouses <a,b>', `Warehouses of an ${partnered} key (default: all)`, commaList)
    .option(
      '--ip <a,b>',
      'IP ranges that may use the key, such as 10.0.0.0/8,2001:db8::/32 (default: any)',
      ipRanges,
    )
    .option('--name <text>', 'Name to tell keys apart', nameText)
    .option('--json', 'Print one JSON object')
    .action((options: Options) => {
      refuseMisfits(command, options);
      return run(options);
    });
}

/** Rejects options that do not apply to the surface, instead of ignoring them. */
function refuseMisfits(
  command: Command,
  { surface, scopes, read, seal, partner, warehouses }: Options,
): void {
  const kind = kinds.get(surface);
  if (!reading.includes(surface) && read !== undefined)
    command.error(`error: --read applies only to the ${reading} surface`);
  const unreadable = read?.find((name) => kinds.findUnknownScope(surface, [readScope(name)]) !== undefined);
  if (unreadable !== undefined)
    command.error(`error: --read must be one of ${readable}; received '${unreadable}'`);
  if (seal === true && !kind.optionalScopes.includes(SEAL_SCOPE))
    command.error(`error: --seal applies only to the ${sealing} surface`);
  if (!kind.partnered && (partner ?? warehouses) !== undefined)
    command.error(`error: --partner and --warehouses apply only to the ${partnered} surface`);
  const unknown = kinds.findUnknownScope(surface, scopes);
  if (unknown === undefined) return;
  const all = [...kind.scopes, ...kind.optionalScopes];
  const known = all.length === 0 ? 'has no scopes' : `has ${all.join(', ')}`;
  command.error(`error: unknown scope '${unknown}'; the ${surface} surface ${known}`);
}

async function run({ json, read, seal, ip, ...named }: Options): Promise<void> {
  const { config } = readConfig();
  const further = [...(read?.map(readScope) ?? []), ...(seal === true ? [SEAL_SCOPE] : [])];
  const base = named.scopes ?? kinds.get(named.surface).scopes;
  const order = { ...named, ipRanges: ip, scopes: [...new Set([...base, ...further])] };
  const created = await withDatabase(config, ({ db }) =>
    createKey(
      {
        db,
        kinds,
        clock: systemClock,
        ids: systemIds,
        plan: config.plan,
        defaultDays: defaultDaysOf(surfaces, config),
      },
      order satisfies KeyOrder,
    ),
  );
  if (!created.ok)
    throw new CommandFailed(
      'TOO_MANY_KEYS',
      `Account "${order.account}" already has ${created.limit} live ${order.surface} keys. Revoke one first (rowpress keys list --account "${order.account}").`,
    );
  printKey({ ...created, account: order.account }, json === true);
}
