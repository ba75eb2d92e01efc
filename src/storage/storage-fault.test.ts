import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { BlobStoreError } from './blobs/blob-store-error.ts';
import { isStorageFault } from './storage-fault.ts';

const sqlError = (code: string) => Object.assign(new DatabaseError('x', 1, 'error'), { code });
const systemError = (code: string) => Object.assign(new Error('x'), { code });

test.each([
  new BlobStoreError('unavailable', 'the store is unavailable'),
  new BlobStoreError('storageFull', 'the store is full'),
  new Error('outer', { cause: new BlobStoreError('unavailable', 'x') }),
  sqlError('57P01'),
  sqlError('53300'),
  sqlError('53100'),
  sqlError('25006'),
  systemError('ENOSPC'),
])('[JOB20] %o: a fault of the storage', (error) => {
  expect(isStorageFault(error)).toBe(true);
});

test.each([
  new BlobStoreError('damaged', 'x'),
  new SurroundingsError('unavailable', 'the memory for requests is used'),
  sqlError('40P01'),
  sqlError('53200'),
  sqlError('22P02'),
  systemError('EPIPE'),
  systemError('57P01'),
  new Error('Connection terminated unexpectedly'),
])('[JOB20] %o: not a fault that the storage reported', (error) => {
  expect(isStorageFault(error)).toBe(false);
});
