import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { IdentityProvider } from './identity-provider.ts';

afterEach(() => vi.unstubAllGlobals());

const CHECKS = { redirectUri: 'https://forms.example/sign-in', state: 's', nonce: 'n', verifier: 'v' };

/** The address of a sign-in at a provider that answers with this discovery document. */
function authorizationUrl(issuer: string, document: Readonly<Record<string, unknown>>): Promise<string> {
  vi.stubGlobal('fetch', async () => Response.json(document));
  const settings = { clientId: 'rowpress', clientSecret: 'x', scopes: 'openid', roleClaim: undefined };
  return new IdentityProvider({ ...settings, issuer: new URL(issuer) }, systemClock).authorizationUrl(CHECKS);
}

const entra = (tenant: string) => ({
  issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
  authorization_endpoint: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/authorize`,
});

test('[PPL31] an issuer for all tenants: refused with what to set', async () => {
  await expect(
    authorizationUrl('https://login.microsoftonline.com/common/v2.0', entra('{tenantid}')),
  ).rejects.toMatchObject({
    name: 'ProviderUnavailable',
    message: expect.stringContaining('ROWPRESS_OIDC_ISSUER must name one tenant'),
  });
  const one = 'aaaabbbb-0000-cccc-1111-dddd2222eeee';
  expect(await authorizationUrl('https://login.microsoftonline.com/example.com/v2.0', entra(one))).toContain(
    `https://login.microsoftonline.com/${one}/oauth2/v2.0/authorize?`,
  );
});

test.each([
  ['no authorization endpoint', {}],
  ['one without https', { authorization_endpoint: 'http://id.example/auth' }],
  ['one that is a script', { authorization_endpoint: 'javascript:alert(1)' }],
])('[PPL36] a discovery document with %s: the provider is unavailable', async (_, endpoint) => {
  const issuer = 'https://id.example';
  await expect(authorizationUrl(issuer, { issuer, ...endpoint })).rejects.toMatchObject({
    name: 'ProviderUnavailable',
  });
});
