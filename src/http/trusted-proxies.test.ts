import { describe, expect, test } from 'vitest';
import type { TrustProxy } from '#config/parse-values.ts';
import { startServer, testSettings } from '../../test/support/http.ts';
import type { RouteGroup } from './route-group.ts';
import { trustedProxies } from './trusted-proxies.ts';

describe('[HTTP33] TRUST_PROXY with addresses', () => {
  const trusts = trustedProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', 'loopback']);
  test.each(['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8::9', '127.0.0.7', '::1'])(
    '%s: yes',
    (ip) => expect(trusts(ip, 0)).toBe(true),
  );
  test.each(['11.1.2.3', '192.0.2.2', '2001:db9::1', '169.254.0.1', 'fe80::1', 'proxy', undefined])(
    '%s: no',
    (ip) => expect(trusts(ip, 0)).toBe(false),
  );
});

const whoIs: RouteGroup = {
  prefix: '/v1/bulkfill',
  plugin: async (app) => {
    app.get('/ip', async (request) => ({ ip: request.ip }));
  },
};

test.each([
  [false, '127.0.0.1'],
  [1, '203.0.113.9'],
  [2, '198.51.100.7'],
  [['loopback'], '203.0.113.9'],
  [['loopback', '203.0.113.9'], '198.51.100.7'],
  [['10.0.0.0/8'], '127.0.0.1'],
] as [TrustProxy, string][])(
  '[HTTP33] TRUST_PROXY %j: the client of a forwarded request is %s',
  async (trustProxy, ip) => {
    const settings = { ...testSettings, trustProxy };
    const { url } = await startServer({ settings, surfaces: [whoIs] });
    const headers = { 'x-forwarded-for': '192.0.2.66, 198.51.100.7, 203.0.113.9' };
    expect(await (await fetch(`${url}/v1/bulkfill/ip`, { headers })).json()).toEqual({ ip });
  },
);
