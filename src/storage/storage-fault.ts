import { DatabaseError } from 'pg';
import { BlobStoreError } from './blobs/blob-store-error.ts';

/**
 * SQLSTATE codes of a server that cannot serve anybody (PostgreSQL, appendix A): connection, full disk, no connections left,
 * shutdown, read-only standby. Deadlocks and memory are missing: a statement can cause them itself.
 */
const SERVER_UNAVAILABLE = ['08', '53100', '53300', '57P', '25006'];
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Reports whether the database, the blob store or the disk failed, rather than the work that used it. */
export function isStorageFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof BlobStoreError) return error.fault !== 'damaged';
  const { code } = error as { code?: unknown };
  if (error instanceof DatabaseError)
    return SERVER_UNAVAILABLE.some((start) => error.code?.startsWith(start));
  if (typeof code === 'string' && DISK_FULL.has(code)) return true;
  return error.cause !== undefined && isStorageFault(error.cause);
}
