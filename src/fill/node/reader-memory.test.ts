import { expect, test } from 'vitest';
import { readerShare, readersAtOnce } from './reader-memory.ts';

const MIB = 1024 ** 2;

test('[LIM45] a server with 512 MB: one reader at a time, with at most half of the memory', () => {
  expect(readersAtOnce(8, 512 * MIB)).toBe(1);
  expect(readerShare(512 * MIB)).toBe(256 * MIB);
});

test('[LIM45] a server with much memory: a reader for each worker', () => {
  expect(readersAtOnce(4, 16_384 * MIB)).toBe(4);
  expect(readersAtOnce(64, 4096 * MIB)).toBe(4);
  expect(readerShare(16_384 * MIB)).toBe(8192 * MIB);
});

test('[LIM45] a server with hardly any memory: a reader can still load its modules', () => {
  expect(readersAtOnce(2, 128 * MIB)).toBe(1);
  expect(readerShare(128 * MIB)).toBe(192_000_000);
});
