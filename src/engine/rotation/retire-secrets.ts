import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from '#storage/database.ts';
import {
  listReplacedKeys,
  lockMark,
  markRetired,
  type ReplacedKey,
  type RotatedKind,
} from '#storage/installation.ts';
import { readSecretFile, replaceSecretFile } from '#storage/secret-file.ts';
import { loadSecretRing, SECRET_KEY_FILE, type SecretSettings } from '../secret-ring.ts';
import { keyIdOf } from '../secrets.ts';
import { countSealed, resealAll } from './reseal.ts';

export interface RetireSettings extends SecretSettings {
  readonly idempotencyWindowSeconds: number;
  readonly exportLinkSeconds: number;
}

/**
 * Ends the use of replaced secrets. First reseals the values that a node sealed with one since the rotation. Until the
 * idempotency window has passed, request keys may hold hashes made with the old secret, and until they expire, download
 * links may be signed with it; `early` gives up both.
 */
export async function retireSecrets(
  db: Db,
  settings: RetireSettings,
  clock: Clock,
  { early = false } = {},
): Promise<string[]> {
  const waiting = await listWaiting(db, 'secret_key');
  if (waiting.length === 0) return [];
  const ring = await loadSecretRing(settings);
  if ((await markOf(db, 'secret_key')) !== ring.current.fingerprint())
    throw new OperatorError(
      'ROWPRESS_SECRET_KEY is not the secret that this database uses. Set it to that secret first.',
    );
  const windowMs = Math.max(settings.idempotencyWindowSeconds, settings.exportLinkSeconds) * 1000;
  const last = Math.max(...waiting.map(({ replaced_at }) => replaced_at.getTime()));
  if (!early && last + windowMs > clock.now().getTime())
    throw new OperatorError(
      `Requests and download links made with the old secret are valid until ${new Date(last + windowMs).toISOString()}. Retire it after that, or use --early.`,
    );
  await resealAll(db, ring);
  await refuseRemains(db, waiting);
  if (settings.secretKey === undefined) await keepFirstLine(join(settings.dataDir, SECRET_KEY_FILE));
  return retireAll(db, waiting, clock);
}

/** Lists replaced keys that are not retired. */
export async function listWaiting(db: Db, kind: RotatedKind): Promise<ReplacedKey[]> {
  return (await listReplacedKeys(db)).filter((key) => key.kind === kind && key.retired_at === null);
}

export function markOf(db: Db, kind: RotatedKind): Promise<string | undefined> {
  return db.transaction().execute((tx) => lockMark(tx, kind));
}

async function refuseRemains(db: Db, waiting: readonly ReplacedKey[]): Promise<void> {
  const counts = await countSealed(db);
  for (const { fingerprint } of waiting) {
    const left = counts.get(keyIdOf(fingerprint).toString('hex')) ?? 0;
    if (left > 0)
      throw new OperatorError(
        `${left} stored values are still sealed with ${fingerprint}, because a node still uses it. Restart every node with the new secret and run this command again.`,
      );
  }
}

export async function retireAll(db: Db, waiting: readonly ReplacedKey[], clock: Clock): Promise<string[]> {
  for (const { kind, fingerprint } of waiting) await markRetired(db, kind, fingerprint, clock.now());
  return waiting.map(({ fingerprint }) => fingerprint);
}

export async function keepFirstLine(path: string): Promise<void> {
  const [current] = ((await readSecretFile(path)) ?? '').split(/\s+/);
  if (current !== undefined && current !== '') await replaceSecretFile(path, [current]);
}
