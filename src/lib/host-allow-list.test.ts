import { expect, test } from 'vitest';
import { parseHostAllowList } from './host-allow-list.ts';

function covers(entries: string[], host: string, port: number): boolean {
  const parsed = parseHostAllowList(entries);
  return parsed.ok && parsed.list.covers(host, port);
}

test('[WHK5] an entry without a port: covers all ports; with a port: that port only', () => {
  expect(covers(['hooks.corp.example'], 'hooks.corp.example', 8443)).toBe(true);
  expect(covers(['hooks.corp.example:8443'], 'hooks.corp.example', 8443)).toBe(true);
  expect(covers(['hooks.corp.example:8443'], 'hooks.corp.example', 443)).toBe(false);
  expect(covers(['hooks.corp.example:443'], 'hooks.corp.example', 8443)).toBe(false);
  expect(covers(['hooks.corp.example'], 'x.hooks.corp.example', 443)).toBe(false);
});

test('[WHK5] entries in any spelling: compared in the form of URLs', () => {
  expect(covers(['HOOKS.Corp.Example.'], 'hooks.corp.example', 443)).toBe(true);
  expect(covers(['0x7f.1'], '127.0.0.1', 443)).toBe(true);
  expect(covers(['[0:0::1]:8443'], '::1', 8443)).toBe(true);
  expect(covers([], 'localhost', 443)).toBe(false);
});

test.each(['', 'https://a.example', 'a.example/x', 'a:b', 'a:0', 'a:65536', '::1', 'u@a', '[::1', 'a b'])(
  '[WHK5] a bad entry is named: "%s"',
  (entry) => {
    expect(parseHostAllowList(['fine.example', entry])).toEqual({ ok: false, problems: [entry] });
  },
);
