import type pg from 'pg';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { dataKeyIdOf } from '#storage/blobs/blob-name.ts';
import type { DataKey, DataKeySource } from '#storage/blobs/data-key.ts';
import { listDataKeys } from '#storage/transfer.ts';
import { DATA_KEY_PURPOSE, openDataKey } from '../data-keys.ts';
import { type SecretSettings, secretRingOf } from '../secret-ring.ts';

/** Returns the opened data keys of these blobs, as the transaction sees them. Requires no secret if no blob is encrypted. */
export async function dataKeysOf(
  client: pg.ClientBase,
  blobNames: readonly string[],
  secrets: Pick<SecretSettings, 'secretKey' | 'secretKeyPrevious'>,
  readSecretFile: () => Promise<Buffer | undefined>,
): Promise<Pick<DataKeySource, 'byId'>> {
  const opened = new Map<string, DataKey>();
  const needed = new Set(blobNames.map(dataKeyIdOf));
  needed.delete(undefined);
  if (needed.size > 0) {
    const box = secretRingOf(secrets, (await readSecretFile())?.toString()).box(DATA_KEY_PURPOSE);
    for (const record of await listDataKeys(client))
      if (needed.has(record.id)) opened.set(record.id, openDataKey(record, box));
  }
  return {
    byId: async (id) => {
      const key = opened.get(id);
      if (key !== undefined) return key;
      throw new OperatorError(
        `The data key ${id} is missing from the table data_keys, and blobs are encrypted with it. Restore the row from a backup.`,
      );
    },
  };
}
