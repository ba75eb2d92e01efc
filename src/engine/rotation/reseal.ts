import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from '#storage/database.ts';
import { countByKey, resealPlace, sealedPlaces } from '#storage/sealed-values.ts';
import { prefixOf, UnknownKey } from '../sealed-box.ts';
import type { SecretRing } from '../secret-ring.ts';
import { keyIdOf } from '../secrets.ts';

/** A server that keeps writing with an old secret could keep this busy forever. */
const MAX_PASSES = 20;

/** Reseals every stored value with the current secret. Returns how many. */
export async function resealAll(db: Db, ring: SecretRing): Promise<number> {
  const prefix = prefixOf(keyIdOf(ring.current.fingerprint()));
  let total = 0;
  for (const place of sealedPlaces) {
    const box = ring.box(place.purpose);
    const reseal = (value: Buffer) => {
      try {
        return box.seal(box.openBytes(value));
      } catch (error) {
        const reason = error instanceof UnknownKey ? error.message : 'no secret can open it';
        throw new OperatorError(
          `A value in ${place.table}.${place.column} cannot be read (${reason}). Add the secret that sealed it to ROWPRESS_SECRET_KEY_PREVIOUS and run this command again.`,
        );
      }
    };
    for (let pass = 0, changed = 1; changed > 0 && pass < MAX_PASSES; pass += 1) {
      changed = await resealPlace(db, place, prefix, reseal);
      total += changed;
    }
  }
  return total;
}

/** Counts the stored values that each secret sealed, by key id. The empty id counts values from before key ids. */
export async function countSealed(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const place of sealedPlaces)
    for (const [keyId, n] of await countByKey(db, place)) counts.set(keyId, (counts.get(keyId) ?? 0) + n);
  return counts;
}
