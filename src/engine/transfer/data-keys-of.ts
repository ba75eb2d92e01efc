import type pg from 'pg';
import { dataKeyIdOf } from '#storage/blobs/blob-name.ts';
import type { DataKey, DataKeySource } from '#storage/blobs/data-key.ts';
import { listDataKeys } from '#storage/transfer.ts';
import { DATA_KEY_PURPOSE, openDataKey } from '../data-keys.ts';
import { type SecretSettings, secretRingOf } from '../secret-ring.ts';

/** The data keys that a transaction sees, opened. Needs no secret if none of the blobs is encrypted. */
export async function dataKeysOf(
  client: pg.ClientBase,
  blobNames: readonly string[],
  secrets: Pick<SecretSettings, 'secretKey' | 'secretKeyPrevious'>,
  readSecretFile: () => Promise<Buffer | undefined>,
): Promise<Pick<DataKeySource, 'byId'>> {
  const opened = new Map<string, DataKey>();
  if (blobNames.some((name) => dataKeyIdOf(name) !== undefined)) {
    const box = secretRingOf(secrets, (await readSecretFile())?.toString()).box(DATA_KEY_PURPOSE);
    for (const record of await listDataKeys(client)) opened.set(record.id, openDataKey(record, box));
  }
  return {
    byId: async (id) => {
      const key = opened.get(id);
      if (key === undefined) throw new Error(`bug: a blob names the data key ${id}, which does not exist`);
      return key;
    },
  };
}
