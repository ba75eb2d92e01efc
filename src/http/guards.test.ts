import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '#lib/logger.ts';
import { openDatabase } from '#storage/database.ts';
import { readRaw, sendRaw, startServer, testSettings } from '../../test/support/http.ts';
import { dialects, keyKinds } from '../../test/support/product.ts';
import { exampleSurface, keyedDialects, limitOf, prefixOf } from '../../test/support/surfaces.ts';
import { createMetrics } from './metrics.ts';
import type { Authenticate } from './principal.ts';

describe.each(keyedDialects)('guards of %s', (dialect) => {
  const path = `${prefixOf(dialect)}/guarded`;
  const { shell } = dialects.get(dialect).errors;

  test('[HTTP16] a missing or invalid Bearer token: each rejection has its code', async () => {
    const { url, port } = await startServer({ surfaces: [exampleSurface(dialect)] });
    const ask = async (authorization?: string) => {
      const response = await fetch(url + path, {
        headers: authorization === undefined ? {} : { authorization },
      });
      return `${response.status} ${await response.text()}`;
    };
    expect(await ask('Bearer good')).toBe('200 {"ok":true}');
    expect(await ask('bearer  good')).toBe('200 {"ok":true}');
    for (const missing of [undefined, 'good', 'Bearer', 'Bearer ', 'Basic Z29vZA==', 'Bearer good x'])
      expect(await ask(missing), String(missing)).toContain(shell.keyRequired);
    expect(await ask('Bearer other')).toContain(shell.keyInvalid);
    expect(await ask('Bearer revoked')).toContain(shell.keyRevoked);
    expect(await ask('Bearer expired')).toContain(shell.keyExpired);
    expect(await ask('Bearer inactive')).toContain(shell.accountInactive);
    const twice = await sendRaw(
      port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nAuthorization: Bearer good\r\nConnection: close\r\n\r\n`,
    );
    const answer = readRaw(twice);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  test('[KEY24] the address that a key is checked against: that of the connection, or the one from a trusted proxy', async () => {
    const judged: string[] = [];
    const authenticate: Authenticate = async (_token, _surface, address) => {
      judged.push(address);
      return { ok: false, refusal: 'keyInvalid' };
    };
    const headers = { authorization: 'Bearer any', 'x-forwarded-for': '192.0.2.7' };
    for (const trustProxy of [false as const, ['127.0.0.1']]) {
      const settings = { ...testSettings, trustProxy };
      const { url } = await startServer({ settings, authenticate, surfaces: [exampleSurface(dialect)] });
      expect((await fetch(url + path, { headers })).status).toBe(401);
    }
    expect(judged).toEqual(['127.0.0.1', '192.0.2.7']);
  });

  test('[HTTP37] invalid keys of an address above the limit: 429 with Retry-After, but a valid key works', async () => {
    const settings = { ...testSettings, failedKeysPerMinute: 2 };
    const registry = createMetrics();
    const lines: string[] = [];
    const log = createLogger({
      level: 'warn',
      pretty: false,
      destination: { write: (line: string) => void lines.push(line) },
    });
    const { metrics } = registry;
    const { url } = await startServer({ settings, metrics, log, surfaces: [exampleSurface(dialect)] });
    const ask = async (key: string) => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const refused = [await ask('a'), await ask('b'), await ask('c'), await ask('d')];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 429, 429]);
    const last = refused[3];
    expect(last?.text).toContain(shell.rateLimited);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('good')).status).toBe(200);
    // Not guesses: the responses still contain the reason.
    for (const key of ['doqlo_bfexp_a.b', 'mrk_a.b', 'wmsk_a.b'])
      expect((await ask(key)).status).toBe(key.startsWith(keyKinds.get(dialect).prefix) ? 429 : 401);
    expect((await ask('revoked')).text).toContain(shell.keyRevoked);
    expect((await fetch(url + path)).status).toBe(401);

    const { body } = await registry.scrape();
    expect(body).toContain(`rowpress_failed_keys_total{surface="${dialect}",outcome="refused"} 2`);
    expect(body).toContain(`rowpress_failed_keys_total{surface="${dialect}",outcome="limited"} 3`);
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.map(({ msg, surface, address }) => ({ msg, surface, address }))).toEqual([
      { msg: 'invalid API key', surface: dialect, address: '127.0.0.1' },
      { msg: 'invalid API key', surface: dialect, address: '127.0.0.1' },
      { msg: 'invalid API keys of this address are limited', surface: dialect, address: '127.0.0.1' },
    ]);
  });

  test('[HTTP17] [HTTP14] an account over its limit: 429 with Retry-After, after the check of the key', async () => {
    const asked: string[] = [];
    const limits = {
      take: async (name: string, accountId: string) => {
        asked.push(`${name} ${accountId}`);
        return { ok: false as const, retryAfterSeconds: 31.4 };
      },
    };
    const { url } = await startServer({ limits, surfaces: [exampleSurface(dialect)] });
    expect((await fetch(url + path)).status).toBe(401);
    expect(asked).toEqual([]);
    const refused = await fetch(url + path, { headers: { authorization: 'Bearer good' } });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '32']);
    expect(await refused.text()).toContain(shell.rateLimited);
    expect(asked).toEqual([`${limitOf(dialect)} 019a0000-0000-7000-8000-000000000001`]);
  });
});

test('[HTTP13] [HTTP14] a key that cannot be checked because the database is unavailable: 503, not 401', async () => {
  const database = openDatabase({ host: '/nowhere', database: 'x', user: 'x' }, 2, () => {});
  onTestFinished(() => database.close());
  const authenticate = async () => {
    await database.pool.query('select 1');
    throw new Error('bug: a database that does not exist responded');
  };
  const { url } = await startServer({ authenticate, surfaces: [exampleSurface('subscribers')] });
  const response = await fetch(`${url}/v1/guarded`, { headers: { authorization: 'Bearer good' } });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await response.json()).toMatchObject({ error: { type: 'api_error', code: 'service_unavailable' } });
});
