import type { Command } from 'commander';
import {
  DEFAULT_OVERLAP_HOURS,
  MAX_OVERLAP_HOURS,
  type RotatedKey,
  rotateKey,
} from '#engine/keys/rotate-key.ts';
import { systemClock } from '#lib/clock.ts';
import { keyKindsOf } from '#main/registries.ts';
import { surfaces } from '#main/surfaces.ts';
import { tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { wholeNumber } from './option-values.ts';
import { printKey } from './print-key.ts';
import { readConfig } from './read-config.ts';
import { withDatabase } from './with-database.ts';

interface Options {
  readonly overlapHours: number;
  readonly json?: true;
}

export function registerKeysRotate(keys: Command): void {
  keys
    .command('rotate')
    .description('Create the successor of a key; the old key expires after the overlap')
    .argument('<id>', 'Public id of the key, as shown by keys list')
    .option(
      '--overlap-hours <n>',
      `Hours that the old key still works, 0 to ${MAX_OVERLAP_HOURS} (default: ${DEFAULT_OVERLAP_HOURS})`,
      wholeNumber(0, MAX_OVERLAP_HOURS),
      DEFAULT_OVERLAP_HOURS,
    )
    .option('--json', 'Print one JSON object')
    .action(run);
}

async function run(id: string, { overlapHours, json }: Options): Promise<void> {
  const { config } = readConfig();
  const rotated = await withDatabase(config, ({ db }) =>
    rotateKey({ db, clock: systemClock, kinds: keyKindsOf(surfaces) }, id, overlapHours),
  );
  if (!rotated.ok) throw failure(id, rotated);
  const { replaced } = rotated;
  printKey(rotated, json === true, { replaces: { id: replaced.id, expires_at: replaced.expiresAt } });
  if (!json) tell(`Key ${replaced.id} works until ${replaced.expiresAt.toISOString()}.`);
}

function failure(id: string, refused: Extract<RotatedKey, { ok: false }>): CommandFailed {
  if (refused.reason === 'unknown') return new CommandFailed('KEY_NOT_FOUND', `There is no key "${id}".`);
  if (refused.reason === 'in-rotation')
    return new CommandFailed(
      'KEY_IN_ROTATION',
      `Key "${id}" is in a rotation with key "${refused.other}". Wait for the end of the overlap, or revoke one of the two.`,
    );
  const what = refused.reason === 'revoked' ? 'was revoked' : 'has expired';
  return new CommandFailed('KEY_NOT_LIVE', `Key "${id}" ${what}; create a new key instead.`);
}
