import { StorageRoom } from '../../src/engine/limits/storage-room.ts';
import type { Db } from '../../src/storage/database.ts';
import { FreeSpace } from '../../src/storage/free-space.ts';

/** A disk without a floor and accounts without a limit. */
export const roomForAll = (db: Db): StorageRoom => new StorageRoom(db, new FreeSpace([], 0), new Map());
