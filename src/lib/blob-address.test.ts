import { expect, test } from 'vitest';
import { describeS3, parseBlobAddress } from './blob-address.ts';

const parse = (value: string) => {
  const parsed = parseBlobAddress(value);
  return parsed.ok ? parsed.address : parsed.problem;
};

test('[OPS7] an object store is a bucket, a prefix, and where and how it is reached', () => {
  const usual = {
    kind: 's3',
    bucket: 'files',
    prefix: '',
    endpoint: undefined,
    region: undefined,
    pathStyle: false,
  };
  expect(parse('s3://files')).toEqual(usual);
  expect(parse('s3://files/')).toEqual(usual);
  expect(parse('s3://files/a/b.c/?region=eu-west-1')).toEqual({
    ...usual,
    prefix: 'a/b.c',
    region: 'eu-west-1',
  });
  const own = { ...usual, prefix: 'p', endpoint: 'http://127.0.0.1:9000', region: 'x', pathStyle: true };
  expect(parse('s3://files/p?endpoint=http://127.0.0.1:9000&region=x')).toEqual(own);
  expect(parse('s3://files/p?endpoint=http%3A%2F%2F127.0.0.1%3A9000%2F&region=x')).toEqual(own);
  expect(parse('s3://files/p?endpoint=http://127.0.0.1:9000&region=x&path_style=false')).toEqual({
    ...own,
    pathStyle: false,
  });
  expect(parse('s3://files?path_style=true')).toEqual({ ...usual, pathStyle: true });
  const address = parse('s3://files/p?endpoint=https://s3.example.com/storage/');
  expect(typeof address === 'object' && address.kind === 's3' && describeS3(address)).toBe(
    's3://files/p at https://s3.example.com/storage',
  );
});

test.each([
  ['ftp://files', 'must start with file: or s3://'],
  ['s3://', 'must start with file: or s3://'],
  ['s3://x', 'must name a bucket'],
  ['s3://files:80/p', 'must name a bucket'],
  ['s3://files/a//b', 'prefix'],
  ['s3://files/a b', 'prefix'],
  ['s3://files/%2e%2e/b%00', 'prefix'],
  ['s3://files/p#x', '#'],
  ['s3://files?endpiont=http://x', 'unknown member "endpiont"'],
  ['s3://files?region=a&region=b', 'says "region" twice'],
  ['s3://files?region=', 'region'],
  ['s3://files?path_style=yes', 'path_style'],
  ['s3://files?endpoint=127.0.0.1:9000', 'starts with http'],
  ['s3://files?endpoint=http://host/%3Fx=1', 'question mark'],
])('[OPS7] %s is refused with its reason', (value, reason) => {
  expect(parse(value)).toContain(reason);
});
