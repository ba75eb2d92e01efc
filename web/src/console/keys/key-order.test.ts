import { expect, test } from 'vitest';
import { type KeyForm, keyOrder } from './key-order.ts';

const form: KeyForm = {
  surface: 'bulkfill',
  account: 'demo',
  name: ' Night batch ',
  days: '90',
  scopes: undefined,
  partner: 'acme',
  warehouses: 'W1, ,W2',
  ipRanges: '',
};

test('what a surface does not know is not sent', () => {
  expect(keyOrder(form, false)).toEqual({
    surface: 'bulkfill',
    account: 'demo',
    name: 'Night batch',
    days: 90,
  });
});

test('partner and warehouses go with partnered keys; empty means the default', () => {
  expect(keyOrder(form, true)).toMatchObject({ partner: 'acme', warehouses: ['W1', 'W2'] });
  const bare = { ...form, name: '', days: '', partner: ' ', warehouses: '' };
  expect(keyOrder(bare, true)).toEqual({ surface: 'bulkfill', account: 'demo' });
});

test('[KEY24] IP ranges: are sent as a list, and not at all if the field is empty', () => {
  expect(keyOrder({ ...form, ipRanges: '10.0.0.0/8, ::1' }, false)).toMatchObject({
    ip_ranges: ['10.0.0.0/8', '::1'],
  });
  expect(keyOrder(form, false)).not.toHaveProperty('ip_ranges');
});
