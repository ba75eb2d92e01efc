import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { closeFolders, ensureDataDir } from './data-dir.ts';

const root = mkdtempSync(join(tmpdir(), 'rowpress-data-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('the data directory', () => {
  it('a missing directory: created with its parents, private and empty', () => {
    const dir = join(root, 'a/b/data');
    ensureDataDir(dir);
    const closed = process.getuid?.() === 0 ? 0o711 : 0o700;
    expect([join(root, 'a'), join(root, 'a/b'), dir].map(modeOf)).toEqual([closed, closed, closed]);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('an existing directory: keeps its mode', () => {
    const dir = join(root, 'open');
    mkdirSync(dir);
    const before = modeOf(dir);
    ensureDataDir(dir);
    expect(modeOf(dir)).toBe(before);
  });

  it('a path below a file or below /proc: rejected with an instruction', () => {
    writeFileSync(join(root, 'file'), '');
    for (const dir of [join(root, 'file/data'), '/proc/rowpress/data']) {
      expect(() => ensureDataDir(dir)).toThrow(OperatorError);
      expect(() => ensureDataDir(dir)).toThrow('ROWPRESS_DATA_DIR');
    }
  });
});

test.runIf(process.getuid?.() === 0)(
  '[SBX13] started by root: the folders of the data directory are private, except the database',
  () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'rp-data-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    for (const name of ['blobs', 'prepared', 'postgres']) mkdirSync(join(dataDir, name), { mode: 0o755 });
    closeFolders(dataDir);
    const mode = (name: string) => statSync(join(dataDir, name)).mode & 0o777;
    expect(['blobs', 'prepared', 'postgres'].map(mode)).toEqual([0o700, 0o700, 0o755]);
  },
);
