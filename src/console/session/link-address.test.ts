import { expect, test } from 'vitest';
import { linkAddress } from './link-address.ts';

const from = (host: string, publicUrl?: string, basePath = '') =>
  linkAddress({ protocol: 'http', host }, { publicUrl, basePath });

test.each(['localhost', 'LOCALHOST:8080', '127.0.0.1:8080', '127.1.2.3', '[::1]:8080'])(
  '[CON44] the loopback host %s: the link begins with it',
  (host) => {
    expect(from(host)).toBe(`http://${host}`);
    expect(from(host, undefined, '/rowpress')).toBe(`http://${host}/rowpress`);
  },
);

test.each([
  'evil.example',
  '192.168.1.5:8080',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1:80@evil.example',
  'localhost/x',
  '[::2]',
  '',
])('[CON44] the host "%s" without ROWPRESS_PUBLIC_URL: the link is a path', (host) => {
  expect(from(host)).toBe('');
  expect(from(host, undefined, '/rowpress')).toBe('/rowpress');
});

test('[CON44] ROWPRESS_PUBLIC_URL is set: it counts, whatever the host is', () => {
  for (const host of ['evil.example', 'localhost'])
    expect(from(host, 'https://tools.example/rowpress/', '/rowpress')).toBe('https://tools.example/rowpress');
});
