import { expect, test } from 'vitest';
import { IpRanges, parseIpRange } from './ip-ranges.ts';

test.each([
  ['10.0.0.0/8', '10.0.0.0/8'],
  [' 192.0.2.7 ', '192.0.2.7/32'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['::1', '::1/128'],
  ['0.0.0.0/0', '0.0.0.0/0'],
])('[KEY24] %j: is stored as %s', (text, stored) => {
  expect(parseIpRange(text)).toBe(stored);
});

test.each([
  '',
  '10.0.0.0/33',
  '10.0.0/8',
  '2001:db8::/129',
  'example.com',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  'fe80::1%eth0',
  '10.0.0.0/08x',
])('[KEY24] %j: is not a range', (text) => {
  expect(parseIpRange(text)).toBeUndefined();
});

test('[KEY24] addresses inside and outside the ranges: distinguished, including IPv4 inside IPv6', () => {
  const ranges = new IpRanges(['10.1.2.3/8', '2001:db8::/32', '192.0.2.7/32']);
  for (const inside of ['10.255.0.1', '192.0.2.7', '2001:db8:ffff::1', '::ffff:10.1.1.1'])
    expect([inside, ranges.has(inside)]).toEqual([inside, true]);
  for (const outside of ['11.0.0.1', '192.0.2.8', '2001:db9::1', '::ffff:11.1.1.1', '', 'unix', undefined])
    expect([outside, ranges.has(outside)]).toEqual([outside, false]);
});
