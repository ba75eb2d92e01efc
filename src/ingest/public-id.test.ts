import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemIds } from '#lib/ids.ts';
import { idSequence, parsePublicId, publicId } from './public-id.ts';

test('[ING32] a uuid: converts to its ULID and back', () => {
  expect(publicId('sku', '01563e3a-b5d3-d676-4c61-efb99302bd5b')).toBe('sku-01ARZ3NDEKTSV4RRFFQ69G5FAV');
  expect(publicId('x', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('x-7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(parsePublicId('sku', publicId('sku', uuid))).toBe(uuid);
    }),
  );
  for (const bad of [
    '',
    'sku-',
    'sku-8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    'sku-01ARZ3NDEKTSV4RRFFQ69G5FA',
    'uom-01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'sku-01ARZ3NDEKTSV4RRFFQ69G5FAU',
  ])
    expect(parsePublicId('sku', bad)).toBeUndefined();
});

test('[ING13] ids of one batch: unique, in order, and start with the time', () => {
  const next = idSequence(systemIds);
  const made = Array.from({ length: 5000 }, next);
  expect(new Set(made).size).toBe(5000);
  expect([...made].sort()).toEqual(made);
  expect(made[0]?.slice(0, 24)).toBe(made[4999]?.slice(0, 24));
  expect(new Set([next(), idSequence(systemIds)()]).size).toBe(2);
});
