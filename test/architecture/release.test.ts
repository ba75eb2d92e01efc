import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  lockWithVersion,
  type ReleaseState,
  releaseObjections,
  withVersion,
} from '../../scripts/release-version.ts';

const READY: ReleaseState = {
  version: '0.2.0',
  present: '0.1.0',
  tags: ['v0.1.0'],
  changedFiles: '',
  changelog: '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- One.\n',
};

test.each<[string, Partial<ReleaseState>, RegExp]>([
  ['a version that is not X.Y.Z', { version: 'v0.2' }, /must be X\.Y\.Z; received "v0\.2"/],
  ['a version that is tagged', { version: '0.1.0' }, /tag v0\.1\.0 exists/],
  ['an earlier version', { version: '0.0.9' }, /must not be before 0\.1\.0/],
  ['changes that are not committed', { changedFiles: ' M src/main.ts' }, /M src\/main\.ts/],
  [
    'no entry below Unreleased',
    { changelog: '# Changelog\n\n## Unreleased\n' },
    /no entry below "Unreleased"/,
  ],
  [
    'a changelog without its form',
    { changelog: `${READY.changelog}\n## 0.1\n` },
    /line 9: must be "## X\.Y\.Z/,
  ],
])('[OPS50] a release with %s: refused with the reason', (_, change, complaint) => {
  expect(releaseObjections(READY)).toEqual([]);
  expect(releaseObjections({ ...READY, ...change })).toEqual([expect.stringMatching(complaint)]);
});

test('[OPS50] a new version: replaces the old one in package.json and the lock file, and nothing else', () => {
  const [text, lock] = ['package.json', 'package-lock.json'].map((path) => readFileSync(path, 'utf8')) as [
    string,
    string,
  ];
  expect(JSON.parse(withVersion(text, '9.8.7'))).toEqual({ ...JSON.parse(text), version: '9.8.7' });
  const bumped = lockWithVersion(lock, '9.8.7', ['web']);
  const before = lock.split('\n');
  const changed = bumped.split('\n').filter((line, index) => line !== before[index]);
  expect(changed.map((line) => line.trim())).toEqual(Array(3).fill('"version": "9.8.7",'));
});
