import { expect, test } from 'vitest';
import { hostName, hostsProblem, splitHosts } from './database-hosts.ts';

test.each([
  ['postgres://u:p%40@one/db', ['postgres://u:p%40@one/db']],
  [
    'postgresql://u:p@one,two:5433,[::1]:5434/db?target_session_attrs=read-write&sslmode=require',
    [
      'postgresql://u:p@one/db?sslmode=require',
      'postgresql://u:p@two:5433/db?sslmode=require',
      'postgresql://u:p@[::1]:5434/db?sslmode=require',
    ],
  ],
  [
    'postgres://u@/db?host=/run/one,two&port=5432,5433&application_name=x',
    [
      'postgres://u@/db?application_name=x&host=%2Frun%2Fone&port=5432',
      'postgres://u@/db?application_name=x&host=two&port=5433',
    ],
  ],
  ['postgres://u@localhost/db?host=%2Frun%2Fpg', ['postgres://u@localhost/db?host=%2Frun%2Fpg']],
])('[STO55] %s: one URL per server', (url, servers) => {
  expect(splitHosts(url)).toEqual(servers);
});

test('[STO55] the name of a server: without user and password', () => {
  expect(splitHosts('postgres://u:secret@one,two:5433/db').map(hostName)).toEqual(['one', 'two:5433']);
  expect(hostName('postgres://u:secret@/db?host=%2Frun%2Fpg&port=5433')).toBe('/run/pg:5433');
});

test('[STO55] a list that cannot lead to a primary: named', () => {
  expect(hostsProblem('postgres://one,two/db?target_session_attrs=standby')).toBe(
    'must use target_session_attrs=read-write; received "standby"',
  );
  expect(hostsProblem('postgres://one,,two/db')).toBe('must name a host between the commas');
  expect(hostsProblem('postgres://one,two/db?target_session_attrs=primary')).toBeUndefined();
  expect(hostsProblem('postgres:///db')).toBeUndefined();
});
