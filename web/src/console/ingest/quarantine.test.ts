import { expect, test } from 'vitest';
import { newCorrelationId } from './correlation-id.ts';
import { doForEach, type QuarantineRecord } from './quarantine.ts';

const record = (id: string): QuarantineRecord => ({
  quarantine_id: id,
  collection: 'master/skus',
  source_id: id,
  source_version: 1,
  reason: 'missing',
  status: 'OPEN',
  item: {},
  internal_id: null,
  correlation_id: id,
  created_at: '',
  updated_at: '',
});

test('a refusal of one record leaves the others done, in their order', async () => {
  const seen: string[] = [];
  const outcome = await doForEach(['a', 'b', 'c'].map(record), async ({ quarantine_id }) => {
    seen.push(quarantine_id);
    if (quarantine_id === 'b') throw new Error('closed already');
  });
  expect(seen).toEqual(['a', 'b', 'c']);
  expect(outcome.done).toBe(2);
  expect(outcome.failures.map(({ record }) => record.quarantine_id)).toEqual(['b']);
});

test('correlation ids are UUIDs of version 4', () => {
  expect(newCorrelationId(new Uint8Array(16).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  expect(newCorrelationId()).not.toBe(newCorrelationId());
});
