import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from '#storage/database.ts';
import { lockMark, replaceMark } from '#storage/installation.ts';
import { ensureSecretFile, replaceSecretFile } from '#storage/secret-file.ts';
import { loadSecretRing, SECRET_KEY_FILE, type SecretRing, type SecretSettings } from '../secret-ring.ts';
import { resealAll } from './reseal.ts';

export interface Rotated {
  readonly current: string;
  readonly replaced: string;
  readonly resealed: number;
}

/**
 * Makes a new secret current and reseals every stored value with it. Without `ROWPRESS_SECRET_KEY`, creates the new
 * secret and writes it to `secret.key` above the old one. With it, the operator has set the new secret and lists the
 * old one in `ROWPRESS_SECRET_KEY_PREVIOUS`. The file is written before the database commits: after a crash in between,
 * a second run finishes the first.
 */
export async function rotateSecret(db: Db, settings: SecretSettings, clock: Clock): Promise<Rotated> {
  const { ring, replaced } = await db.transaction().execute(async (tx) => {
    const mark = await lockMark(tx, 'secret_key');
    if (mark === undefined)
      throw new OperatorError('No server has used this database yet, so there is no secret to rotate.');
    const next = await nextRing(settings, mark);
    await replaceMark(tx, 'secret_key', {
      from: mark,
      to: next.current.fingerprint(),
      now: clock.now(),
    });
    return { ring: next, replaced: mark };
  });
  return { current: ring.current.fingerprint(), replaced, resealed: await resealAll(db, ring) };
}

async function nextRing(settings: SecretSettings, mark: string): Promise<SecretRing> {
  const ring = await loadSecretRing(settings);
  const [current, ...earlier] = ring.fingerprints();
  if (current !== mark) {
    if (earlier.includes(mark)) return ring;
    throw new OperatorError(
      'None of the configured secrets is the one that this database uses. List that one in ROWPRESS_SECRET_KEY_PREVIOUS.',
    );
  }
  if (settings.secretKey !== undefined)
    throw new OperatorError(
      'ROWPRESS_SECRET_KEY is already the secret of this database. Set it to a new one (openssl rand -hex 32), list the current one in ROWPRESS_SECRET_KEY_PREVIOUS, and run this command again.',
    );
  const path = join(settings.dataDir, SECRET_KEY_FILE);
  const lines = (await ensureSecretFile(path)).split(/\s+/);
  await replaceSecretFile(path, [randomBytes(32).toString('hex'), ...lines]);
  return loadSecretRing(settings);
}
