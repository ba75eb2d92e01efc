import type { Insertable } from 'kysely';
import type { Tx } from '../database.ts';
import type { Artifacts, Deliveries } from '../db-types.ts';
import { json } from '../json.ts';

export async function insertArtifact(
  tx: Tx,
  artifact: Omit<Insertable<Artifacts>, 'parts'> & { parts: unknown },
): Promise<void> {
  await tx
    .insertInto('artifacts')
    .values({ ...artifact, parts: json(artifact.parts) })
    .execute();
}

export async function insertDelivery(tx: Tx, delivery: Insertable<Deliveries>): Promise<void> {
  await tx.insertInto('deliveries').values(delivery).execute();
}
