import { expect, it } from 'vitest';
import { presenceWords } from './presence-words.ts';

const at = (operator: string, device: string, is_you = false) => ({
  operator,
  device,
  is_you,
  opened_at: '2026-11-18T10:00:00Z',
});

it('[EDT208] other tabs: are named by person and browser, each once', () => {
  const here = 'Chrome on Linux';
  expect(presenceWords([], here)).toBe('');
  const grace = at('Grace', 'Firefox on Linux');
  expect(presenceWords([grace, grace], here)).toBe('Grace in Firefox on Linux');
  expect(presenceWords([grace, at('Ada', 'Safari on iPad', true), at('Ada', here, true)], here)).toBe(
    'Grace in Firefox on Linux, you in Safari on iPad, you in another tab or browser',
  );
});
