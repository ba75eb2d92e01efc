import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ControlGroups } from './control-group.ts';

/** A folder that imitates a control group delegated by systemd, with this process in `server`. */
function delegated(controllers: string): string {
  const mount = mkdtempSync(join(tmpdir(), 'rp-cgroup-'));
  onTestFinished(() => rmSync(mount, { recursive: true, force: true }));
  mkdirSync(join(mount, 'unit/server'), { recursive: true });
  writeFileSync(join(mount, 'unit/cgroup.controllers'), controllers);
  writeFileSync(join(mount, 'unit/cgroup.subtree_control'), '');
  return mount;
}

test('[SBX7] a delegated control group: each child gets its own group with limits', () => {
  const mount = delegated('cpu memory pids');
  const groups = ControlGroups.find(mount, '/unit/server');
  expect(readFileSync(join(mount, 'unit/cgroup.subtree_control'), 'utf8')).toBe('+memory +pids');
  const group = groups?.make(1234) ?? '';
  expect(group.startsWith(join(mount, 'unit/rowpress-reader-'))).toBe(true);
  expect(readFileSync(join(group, 'memory.max'), 'utf8')).toBe('1234');
  expect(existsSync(join(group, 'pids.max'))).toBe(true);
});

test.each([
  ['controllers that are not delegated', 'cpu', '/unit/server'],
  ['a process at the root of the hierarchy', 'memory pids', '/'],
  ['a group that does not exist here', 'memory pids', '/other/place'],
])('[SBX7] %s: no control group is used', (_, controllers, own) => {
  expect(ControlGroups.find(delegated(controllers), own)).toBeUndefined();
});
