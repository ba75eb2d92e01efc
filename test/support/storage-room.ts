import { StorageRoom } from '#engine/limits/storage-room.ts';
import type { Db } from '#storage/database.ts';
import { FreeSpace } from '#storage/free-space.ts';

/** A disk without a minimum of free space and accounts without a limit. */
export const roomForAll = (db: Db): StorageRoom => new StorageRoom(db, new FreeSpace([], 0), new Map());
