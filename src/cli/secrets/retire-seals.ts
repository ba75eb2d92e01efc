import { join } from 'node:path';
import { keepFirstLine, listWaiting, markOf, retireAll } from '#engine/rotation/retire-secrets.ts';
import { loadSealKey, SEAL_KEY_FILE, type SealKeySettings } from '#fill/node/seal-key.ts';
import type { Clock } from '#lib/clock.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from '#storage/database.ts';

/** Retires replaced seal keys. Each node rejects packages sealed with them from its next start. */
export async function retireSeals(db: Db, settings: SealKeySettings, clock: Clock): Promise<string[]> {
  const waiting = await listWaiting(db, 'seal_key');
  if (waiting.length === 0) return [];
  const loaded = await loadSealKey(settings);
  if (!loaded.ok) throw new OperatorError(`ROWPRESS_SEAL_KEY: ${loaded.message}.`);
  if ((await markOf(db, 'seal_key')) !== loaded.publicKey)
    throw new OperatorError(
      'ROWPRESS_SEAL_KEY is not the seal key that this database uses. Set it to that key first.',
    );
  if (settings.sealKey === undefined) await keepFirstLine(join(settings.dataDir, SEAL_KEY_FILE));
  return retireAll(db, waiting, clock);
}
