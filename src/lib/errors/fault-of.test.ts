import { expect, test } from 'vitest';
import { faultOf } from './fault-of.ts';
import { SurroundingsError } from './surroundings-error.ts';

const error = (fields: object, message = 'x') => Object.assign(new Error(message), fields);

test.each([
  [error({ code: 'ECONNREFUSED' }), 'unavailable'],
  [error({ code: 'ENOENT', syscall: 'connect' }), 'unavailable'],
  [error({ code: '57P01', severity: 'FATAL' }), 'unavailable'],
  [error({ code: '57014', severity: 'ERROR' }), 'unavailable'],
  [error({ code: '53300', severity: 'FATAL' }), 'unavailable'],
  [error({ code: '40P01', severity: 'ERROR' }), 'unavailable'],
  [error({}, 'Connection terminated unexpectedly'), 'unavailable'],
  [error({}, 'timeout exceeded when trying to connect'), 'unavailable'],
  [new AggregateError([error({ code: 'ECONNREFUSED' })]), 'unavailable'],
  [new Error('outer', { cause: error({ code: 'ENOSPC' }) }), 'storageFull'],
  [error({ code: '53100', severity: 'ERROR' }), 'storageFull'],
  [new SurroundingsError('unavailable', 'the store is unavailable'), 'unavailable'],
  [new Error('outer', { cause: new SurroundingsError('storageFull', 'no room') }), 'storageFull'],
])('[HTTP13] %o: a fault of the environment (%s)', (thrown, fault) => {
  expect(faultOf(thrown)).toBe(fault);
});

test.each([
  error({ code: 'ENOENT', syscall: 'open' }),
  error({ code: '23505', severity: 'ERROR' }),
  error({ code: '08006' }),
  new TypeError('x is not a function'),
  'a string',
  undefined,
])('[HTTP12] %o: a bug', (thrown) => {
  expect(faultOf(thrown)).toBeUndefined();
});
