import { expect, test } from 'vitest';
import { auditQuery } from './audit-filter.ts';

const NOW = Date.parse('2026-05-08T12:00:00.000Z');

test('[PPL13] the last 7 days: entries from seven days ago', () => {
  expect(auditQuery({ person: 'p', action: 'key.', since: '7' }, NOW)).toEqual({
    operator: 'p',
    action: 'key.',
    from: '2026-05-01T12:00:00.000Z',
  });
  expect(auditQuery({ person: '', action: '', since: '' }, NOW)).toEqual({
    operator: '',
    action: '',
    from: '',
  });
});
