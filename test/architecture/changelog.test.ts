import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changelogProblems, hasEntries, releasedChangelog, sectionOf } from '../../scripts/changelog.ts';

const text = readFileSync('CHANGELOG.md', 'utf8');

test('[OPS51] CHANGELOG.md: has its form', () => {
  expect(changelogProblems(text)).toEqual([]);
});

const GOOD =
  '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- One.\n\n## 0.2.0 (2026-02-01)\n\n### Added\n\n- Two.\n';

test.each([
  [
    'no Unreleased section',
    GOOD.replace('## Unreleased', '## 0.3.0 (2026-03-01)'),
    'the first section must be',
  ],
  ['a heading that is not known', GOOD.replace('### Fixed', '### Fixes'), '"Fixes" is not one of'],
  ['a heading twice', GOOD.replace('- One.', '- One.\n\n### Fixed\n\n- Three.'), 'appears twice'],
  ['an entry without a heading', GOOD.replace('### Fixed\n\n', ''), 'an entry must be below'],
  ['a heading without entries', GOOD.replace('- One.\n', ''), 'has no entries'],
  ['a version without a date', GOOD.replace(' (2026-02-01)', ''), 'must be "## X.Y.Z (YYYY-MM-DD)"'],
  ['versions that ascend', `${GOOD}\n## 0.10.0 (2026-01-01)\n`, 'versions must descend'],
  ['dates that ascend', `${GOOD}\n## 0.1.0 (2026-12-01)\n`, 'dates must descend'],
])('[OPS51] a changelog with %s: rejected with the line', (_, broken, complaint) => {
  expect(changelogProblems(GOOD)).toEqual([]);
  expect(changelogProblems(broken)).toEqual([expect.stringMatching(/^line \d+: /)]);
  expect(changelogProblems(broken)[0]).toContain(complaint);
});

test('[OPS50] a release: moves the entries of Unreleased below its version and date', () => {
  const released = releasedChangelog(GOOD, '0.3.0', '2026-03-01');
  expect(changelogProblems(released)).toEqual([]);
  expect(sectionOf(released)).toBe('');
  expect(sectionOf(released, '0.3.0')).toBe('### Fixed\n\n- One.');
  expect(sectionOf(released, '0.2.0')).toBe('### Added\n\n- Two.');
  expect(sectionOf(released, '0.9.0')).toBeNull();
  expect([hasEntries(sectionOf(GOOD) ?? ''), hasEntries('')]).toEqual([true, false]);
});
