import { describe, expect, test } from 'vitest';
import { type Environment, isCommandOfNpm, loadConfig } from '#config.ts';

function problemsOf(env: Environment): readonly string[] {
  const result = loadConfig(env);
  return result.ok ? [] : result.problems;
}

describe('the configuration', () => {
  test('[OPS7] several invalid values: all are named at once', () => {
    const bad = {
      PORT: '99999',
      ROWPRESS_ROLE: 'boss',
      ROWPRESS_MAX_ROWS: 'abc',
      ROWPRESS_BLOBS: 'ftp://files',
      DATABASE_URL: 'mysql://u:hush@db/x',
      ROWPRESS_DATABASE_DIRECT_URL: 'db.example.com',
      ROWPRESS_PUBLIC_URL: 'rowpress.example.com',
      ROWPRESS_WEBHOOK_ALLOW: 'good.internal, https://bad/',
      TRUST_PROXY: '10.0.0.0/8, proxy',
      ROWPRESS_SECRET_KEY: 'hush',
      ROWPRESS_TRUSTED_SEALS: 'abc',
      ROWPRESS_PLAN: 'gold',
      ROWPRESS_TLS_CERT: '/nowhere/cert.pem',
    };
    const problems = problemsOf(bad);
    for (const name of Object.keys(bad))
      expect(
        problems.filter((problem) => problem.startsWith(`${name} `)),
        name,
      ).toHaveLength(1);
    expect(problems).toHaveLength(Object.keys(bad).length);
    expect(problems.join()).not.toContain('hush');
  });

  test('[OPS7] invalid plans: the plan is not reported as unknown', () => {
    const problems = problemsOf({ ROWPRESS_PLANS: '{', ROWPRESS_PLAN: 'gold' });
    expect(problems).toEqual([expect.stringMatching(/^ROWPRESS_PLANS must be JSON/)]);
  });

  test('[OPS7] a certificate without its key: rejected; an unreadable file: reported once', () => {
    const readable = import.meta.filename;
    expect(problemsOf({ ROWPRESS_TLS_CERT: readable })).toEqual([
      'ROWPRESS_TLS_CERT and ROWPRESS_TLS_KEY must be set together',
    ]);
    expect(problemsOf({ ROWPRESS_TLS_CERT: '/nowhere/c.pem', ROWPRESS_TLS_KEY: readable })).toEqual([
      expect.stringMatching(/^ROWPRESS_TLS_CERT must be a readable file \(ENOENT\)/),
    ]);
  });

  test('[OPS7] an object store: needs its region and both halves of a key, and shows neither half', () => {
    const halves = { ROWPRESS_BLOBS: 's3://bucket/prefix', AWS_ACCESS_KEY_ID: 'hush' };
    expect(problemsOf(halves)).toEqual([
      'ROWPRESS_BLOBS must include a region (…?region=eu-west-1), or AWS_REGION must be set',
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together',
    ]);
    for (const value of [
      's3://hush:hush@bucket/p',
      's3://bucket/p?endpoint=http://hush:hush@127.0.0.1:9000',
    ]) {
      const problems = problemsOf({ ROWPRESS_BLOBS: value });
      expect(problems).toEqual([
        expect.stringMatching(/^ROWPRESS_BLOBS must not hold .* set AWS_ACCESS_KEY_ID/),
      ]);
      expect(problems.join()).not.toContain('hush');
    }
  });

  test('[BF165] cloud delivery without an object store, or with encrypted blobs: rejected', () => {
    const store = { ROWPRESS_BLOBS: 's3://bucket/p?region=eu-west-1' };
    const cloud = { ROWPRESS_DELIVERY: 'cloud' };
    expect(problemsOf({ ...cloud, ...store })).toEqual([]);
    expect(problemsOf({ ...store, ROWPRESS_ENCRYPT_BLOBS: 'true' })).toEqual([]);
    for (const blobs of [{}, { ROWPRESS_BLOBS: 'file:/srv/blobs' }])
      expect(problemsOf({ ...cloud, ...blobs })).toEqual([
        'ROWPRESS_DELIVERY=cloud needs an object store: set ROWPRESS_BLOBS to s3://…, or use direct',
      ]);
    expect(problemsOf({ ...cloud, ...store, ROWPRESS_ENCRYPT_BLOBS: 'true' })).toEqual([
      expect.stringMatching(/^ROWPRESS_DELIVERY=cloud cannot be combined with ROWPRESS_ENCRYPT_BLOBS=true: /),
    ]);
  });

  test('[OPS7] times beyond the longest timer or date: rejected', () => {
    for (const env of [
      { ROWPRESS_SLICE_TIMEOUT_MS: '3600000' },
      { ROWPRESS_REQUEST_TIMEOUT_MS: '3000000000' },
      { ROWPRESS_WEBHOOK_TIMEOUT_MS: '3000000000' },
      { ROWPRESS_CORRELATION_WAIT_MS: '3000000000' },
      { ROWPRESS_JOB_RETENTION_SECONDS: '9007199254740991' },
      { ROWPRESS_IDEMPOTENCY_WINDOW_SECONDS: '9007199254740991' },
      { ROWPRESS_SUBSCRIBERS_LINK_SECONDS: '9007199254740991' },
      { ROWPRESS_WEBHOOK_RETRY_SECONDS: '60,1e300' },
    ])
      expect(problemsOf(env), JSON.stringify(env)).toHaveLength(1);
    expect(problemsOf({ ROWPRESS_JOB_RETENTION_SECONDS: '3153600000' })).toEqual([]);
  });

  test('[SEC31] ROWPRESS_VERIFY=true without ROWPRESS_PUBLIC_URL: rejected', () => {
    const on = { ROWPRESS_VERIFY: 'true' };
    expect(problemsOf(on)).toEqual([
      'ROWPRESS_VERIFY=true needs ROWPRESS_PUBLIC_URL: documents contain this address',
    ]);
    expect(problemsOf({ ...on, ROWPRESS_PUBLIC_URL: 'https://forms.example.com' })).toEqual([]);
    expect(problemsOf({ ...on, ROWPRESS_PUBLIC_URL: 'forms.example.com' })).toHaveLength(1);
  });

  test('[OPS142] DATABASE_READ_URL without DATABASE_URL, with several servers, or with a choice of servers: rejected', () => {
    const url = { DATABASE_URL: 'postgres://db/x' };
    const readUrl = (value: string) => problemsOf({ ...url, DATABASE_READ_URL: value });
    expect(problemsOf({ DATABASE_READ_URL: 'postgres://standby/x' })).toEqual([
      'DATABASE_READ_URL needs DATABASE_URL',
    ]);
    expect(readUrl('postgres://one,two/x')).toEqual([
      expect.stringContaining('DATABASE_READ_URL must name one server'),
    ]);
    expect(readUrl('postgres://one/x?target_session_attrs=standby')).toEqual([
      expect.stringContaining('DATABASE_READ_URL must not contain target_session_attrs'),
    ]);
    expect(readUrl('db.example.com')).toEqual([expect.stringContaining('must start with postgres://')]);
  });

  test('[OPS7] every documented form: accepted', () => {
    for (const env of [
      {},
      { DATABASE_URL: 'postgres://db/x', ROWPRESS_DATABASE_DIRECT_URL: 'postgresql://u:p@db:5433/x' },
      { DATABASE_URL: 'postgres://db/x', DATABASE_READ_URL: 'postgres://standby/x' },
      { ROWPRESS_BLOBS: 'file:/srv/blobs' },
      { ROWPRESS_BLOBS: 's3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=x' },
      { ROWPRESS_BLOBS: 's3://bucket?region=eu-west-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'x' },
      { ROWPRESS_BLOBS: 's3://bucket/prefix', AWS_REGION: 'eu-west-1' },
      { ROWPRESS_BLOBS: 's3://bucket/prefix', AWS_DEFAULT_REGION: 'eu-west-1' },
      { AWS_ACCESS_KEY_ID: 'of another program' },
      { ROWPRESS_PUBLIC_URL: 'https://rows.example.com/tools/' },
      { ROWPRESS_WEBHOOK_ALLOW: 'hooks.internal:8443,[::1]:8443,10.0.0.7' },
      { TRUST_PROXY: 'false' },
      { TRUST_PROXY: '2' },
      { TRUST_PROXY: 'loopback, 10.0.0.0/8, 192.0.2.1, fd00::/8' },
      { ROWPRESS_PLANS: '{"gold":{"rows_per_month":5}}', ROWPRESS_PLAN: 'gold' },
    ])
      expect(problemsOf(env), JSON.stringify(env)).toEqual([]);
  });

  test.each(['true', '0', '100', 'yes', ',', '10.0.0.0/40', '10.0.0.5,proxy'])(
    '[HTTP33] TRUST_PROXY %s: rejected at start',
    (value) => {
      expect(problemsOf({ TRUST_PROXY: value })).toEqual([expect.stringMatching(/^TRUST_PROXY must /)]);
    },
  );

  test('[HTTP33] TRUST_PROXY true: the message says what to use instead', () => {
    expect(problemsOf({ TRUST_PROXY: 'true' })).toEqual([
      'TRUST_PROXY must name the proxies, because any client could set their headers: a comma list of addresses or networks (10.0.0.5, 10.0.0.0/8), or the number of proxies in front of the server (1); received "true"',
    ]);
  });

  test('[OPS7] secrets: masked', () => {
    const result = loadConfig({
      DATABASE_URL: 'postgres://u:hush@db/x',
      AWS_ACCESS_KEY_ID: 'hush',
      AWS_SECRET_ACCESS_KEY: 'hush',
      AWS_SESSION_TOKEN: 'hush',
      ROWPRESS_SECRET_KEY: 'a'.repeat(64),
    });
    expect(
      result.ok && result.shown.filter(({ value }) => value === '********').map(({ name }) => name),
    ).toEqual([
      'DATABASE_URL',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'ROWPRESS_SECRET_KEY',
    ]);
  });
});

test('[HTTP90] the scripts of npm: only those that are the command itself count', () => {
  const started = (script: string) => isCommandOfNpm({ npm_lifecycle_script: script });
  expect(["'rowpress'", 'rowpress', 'exec bin/rowpress serve', 'bin/rowpress serve'].map(started)).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(started('./start-rowpress.sh')).toBe(false);
  expect(isCommandOfNpm({})).toBe(false);
});
