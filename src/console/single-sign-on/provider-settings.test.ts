import { expect, test } from 'vitest';
import { loadConfig } from '#config.ts';
import { buildSingleSignOn } from './single-sign-on.ts';

const clock = { now: () => new Date() };
const GOOD = { ROWPRESS_OIDC_ISSUER: 'https://id.example', ROWPRESS_OIDC_CLIENT_ID: 'rowpress' };

/** Whether single sign-on is on with these settings, and what the start says. */
function build(env: Readonly<Record<string, string>>) {
  const read = loadConfig(env);
  if (!read.ok) return { refused: read.problems };
  const warnings: string[] = [];
  const built = buildSingleSignOn(read.config, clock, (problem) => warnings.push(problem));
  return { isOn: built !== undefined, warnings };
}

test('[PPL30] an issuer and a client id: on; no settings: off without a warning', () => {
  expect(build(GOOD)).toEqual({ isOn: true, warnings: [] });
  expect(build({ ...GOOD, ROWPRESS_OIDC_ISSUER: 'http://127.0.0.1:9000' }).isOn).toBe(true);
  expect(build({})).toEqual({ isOn: false, warnings: [] });
});

test.each([
  [
    'an issuer without TLS',
    { ROWPRESS_OIDC_ISSUER: 'http://id.example' },
    'ROWPRESS_OIDC_ISSUER must start with https://',
  ],
  [
    'a host that only looks like this machine',
    { ROWPRESS_OIDC_ISSUER: 'http://127.0.0.1.evil.example' },
    'ROWPRESS_OIDC_ISSUER',
  ],
  ['a client id without an issuer', { ROWPRESS_OIDC_ISSUER: '' }, 'ROWPRESS_OIDC_ISSUER is missing'],
  ['no client id', { ROWPRESS_OIDC_CLIENT_ID: '' }, 'ROWPRESS_OIDC_CLIENT_ID is missing'],
  ['a claim without roles', { ROWPRESS_OIDC_ROLE_CLAIM: 'groups' }, 'must be set together'],
])('[PPL36] %s: off, and the start names it', (_, change, problem) => {
  expect(build({ ...GOOD, ...change })).toEqual({
    isOn: false,
    warnings: [expect.stringContaining(problem)],
  });
});

test.each([
  ['ROWPRESS_OIDC_ISSUER', 'id.example', 'must be an address'],
  ['ROWPRESS_OIDC_SCOPES', 'email', 'must contain openid'],
  ['ROWPRESS_OIDC_ROLES', '{', 'must be JSON'],
  ['ROWPRESS_OIDC_ROLES', '[{"value":"a","role":"king"}]', 'entry 1: role must be one of operator'],
  ['ROWPRESS_OIDC_ROLES', '[{"value":"a","role":"runner"}]', 'entry 1: account is missing'],
  ['ROWPRESS_OIDC_ROLES', '[{"value":"a","role":"auditor","account":"x"}]', 'account must be absent'],
  ['ROWPRESS_OIDC_ROLES', '[null]', 'entry 1: value must be'],
])('[PPL38] %s=%s: a value that cannot be read stops the start', (name, value, problem) => {
  expect(build({ ...GOOD, [name]: value }).refused).toEqual([expect.stringContaining(problem)]);
});
