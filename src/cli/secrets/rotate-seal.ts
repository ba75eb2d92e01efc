import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadSealKey, SEAL_KEY_FILE, type SealKeySettings } from '#fill/node/seal-key.ts';
import type { Clock } from '#lib/clock.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from '#storage/database.ts';
import { lockMark, replaceMark } from '#storage/installation.ts';
import { replaceSecretFile } from '#storage/secret-file.ts';

export interface RotatedSeal {
  readonly current: string;
  readonly replaced: string;
}

/**
 * Makes a new seal key current. Packages sealed earlier stay valid: the database lists the old public key for all
 * nodes, and `seal.key` lists it below the new private key for commands that run without a database. The old private
 * key is not kept.
 */
export async function rotateSeal(db: Db, settings: SealKeySettings, clock: Clock): Promise<RotatedSeal> {
  return db.transaction().execute(async (tx) => {
    const mark = await lockMark(tx, 'seal_key');
    if (mark === undefined)
      throw new OperatorError('No server has used this database yet, so there is no seal key to rotate.');
    const current = await nextKey(settings, mark);
    await replaceMark(tx, 'seal_key', { from: mark, to: current, now: clock.now() });
    return { current, replaced: mark };
  });
}

async function nextKey(settings: SealKeySettings, mark: string): Promise<string> {
  const loaded = await load(settings);
  const finishesEarlierRun = loaded.publicKey !== mark && loaded.earlier.includes(mark);
  if (settings.sealKey === undefined && loaded.publicKey === mark) {
    const lines = [randomBytes(32).toString('hex'), mark, ...loaded.earlier];
    await replaceSecretFile(join(settings.dataDir, SEAL_KEY_FILE), lines);
    return (await load(settings)).publicKey;
  }
  if (loaded.publicKey === mark)
    throw new OperatorError(
      'ROWPRESS_SEAL_KEY is already the seal key of this database. Set it to a new one (openssl rand -hex 32) and run this command again.',
    );
  if (settings.sealKey === undefined && !finishesEarlierRun)
    throw new OperatorError(
      `${join(settings.dataDir, SEAL_KEY_FILE)} is not the seal key of this database. Run this command on a node that has it.`,
    );
  return loaded.publicKey;
}

async function load(settings: SealKeySettings) {
  const loaded = await loadSealKey(settings);
  if (!loaded.ok) throw new OperatorError(`ROWPRESS_SEAL_KEY: ${loaded.message}.`);
  return loaded;
}
