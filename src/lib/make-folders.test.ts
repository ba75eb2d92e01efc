import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolders } from './make-folders.ts';

const root = mkdtempSync(join(tmpdir(), 'rowpress-folders-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a missing folder: is created with its parents, and the first missing one is returned', () => {
  expect(makeFolders(join(root, 'a/b/c'))).toBe(join(root, 'a'));
  expect(existsSync(join(root, 'a/b/c'))).toBe(true);
  expect(makeFolders(join(root, 'a/b/c'))).toBeUndefined();
  expect(makeFolders(join(root, 'a/b/d'))).toBe(join(root, 'a/b/d'));
});

test('a path at a file, below a file or below /proc: fails at once', () => {
  writeFileSync(join(root, 'file'), '');
  for (const folder of [join(root, 'file'), join(root, 'file/x'), '/proc/rowpress/x'])
    expect(() => makeFolders(folder)).toThrow(/^(ENOTDIR|ENOENT|EROFS|EACCES)/);
});
