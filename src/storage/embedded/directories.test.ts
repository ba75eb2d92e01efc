import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeSocketDirectory } from './directories.ts';
import { chooseRunUser } from './run-user.ts';

test('[STO12] a foreign link in place of the socket directory: not followed', () => {
  const target = mkdtempSync('/tmp/rp-socket-');
  const before = statSync(target);
  const user = chooseRunUser(undefined);
  const directory = join(target, 'd'.repeat(120));
  const short = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  const path = `/tmp/rowpress-${user.uid}-${short}`;
  symlinkSync(target, path);
  onTestFinished(() => {
    rmSync(path, { force: true });
    rmSync(target, { recursive: true, force: true });
  });
  const take = () =>
    takeSocketDirectory({ directory, cluster: join(directory, 'cluster'), logFile: '', user });
  expect(take).toThrow(/belongs to another user/);
  expect(statSync(target)).toMatchObject({ uid: before.uid, mode: before.mode });
  expect(existsSync(path)).toBe(true);
});
