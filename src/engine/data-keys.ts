import { randomBytes } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { DATA_KEY_BYTES, DataKey, type DataKeySource } from '#storage/blobs/data-key.ts';
import { type DataKeyRecord, ensureDataKey, findDataKey } from '#storage/data-keys.ts';
import type { Db } from '#storage/database.ts';
import { type SealedBox, UnknownKey } from './sealed-box.ts';
import { keyIdOf } from './secrets.ts';

/** Which key of the installation secret seals data keys (`storage/sealed-values.ts`). */
export const DATA_KEY_PURPOSE = 'data-key';

/**
 * The data keys of an installation. Each is 32 random bytes, made at the first encrypted put of an account and
 * stored sealed with the installation secret. A key never changes, so this process keeps the keys it has opened.
 */
export class DataKeys implements DataKeySource {
  readonly #db: Db;
  readonly #box: SealedBox;
  readonly #clock: Clock;
  readonly #opened = new Map<string, DataKey>();
  readonly #byAccount = new Map<string, DataKey>();

  constructor(db: Db, box: SealedBox, clock: Clock) {
    this.#db = db;
    this.#box = box;
    this.#clock = clock;
  }

  async ofAccount(accountId: string): Promise<DataKey> {
    const known = this.#byAccount.get(accountId);
    if (known !== undefined) return known;
    const record = await ensureDataKey(this.#db, accountId, (secret) => ({
      id: randomBytes(8).toString('hex'),
      sealed: this.#seal(randomBytes(DATA_KEY_BYTES), secret),
      now: this.#clock.now(),
    }));
    const key = this.#open(record);
    this.#byAccount.set(accountId, key);
    return key;
  }

  async byId(id: string): Promise<DataKey> {
    const known = this.#opened.get(id);
    if (known !== undefined) return known;
    const record = await findDataKey(this.#db, id);
    if (record === undefined)
      throw new SurroundingsError(
        'damaged',
        `The data key ${id} is missing from the table data_keys. Restore the database from a backup.`,
      );
    return this.#open(record);
  }

  /**
   * Seals with the secret that the installation uses now, which may be newer than the one this process started with.
   * A key sealed with the older one would be lost if that were retired.
   */
  #seal(key: Buffer, secret: string | undefined): Buffer {
    try {
      return this.#box.seal(key, secret && keyIdOf(secret).toString('hex'));
    } catch (error) {
      if (!(error instanceof UnknownKey)) throw error;
      throw new SurroundingsError(
        'unavailable',
        'The secret of this installation was replaced, so this node can make no data key. Restart it with the new ROWPRESS_SECRET_KEY.',
      );
    }
  }

  #open(record: DataKeyRecord): DataKey {
    const key = openDataKey(record, this.#box);
    this.#opened.set(record.id, key);
    return key;
  }
}

/** Fails with a `SurroundingsError` that says what the operator must do. */
export function openDataKey({ id, sealed }: DataKeyRecord, box: SealedBox): DataKey {
  let bytes: Buffer | undefined;
  try {
    bytes = box.openBytes(sealed);
  } catch (error) {
    if (error instanceof UnknownKey)
      throw new SurroundingsError(
        'unavailable',
        `The data key ${id} is sealed with a secret that this node lacks (${error.message}). Add it to ROWPRESS_SECRET_KEY_PREVIOUS.`,
      );
  }
  if (bytes?.length === DATA_KEY_BYTES) return new DataKey(id, bytes);
  throw new SurroundingsError(
    'damaged',
    `The data key ${id} cannot be opened: its row in data_keys was changed. Restore the database from a backup.`,
  );
}
