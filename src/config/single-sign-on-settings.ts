import { BadValue } from './bad-value.ts';
import { optional, type Setting, secret, text } from './setting-kinds.ts';

const ROLES = ['operator', 'designer', 'runner', 'auditor'] as const;

/** The role of people whose claim has this value. Designers and runners also have an account. */
export interface ClaimedRole {
  readonly value: string;
  readonly role: (typeof ROLES)[number];
  readonly account: string | undefined;
}

/** Sign-in with OpenID Connect. It is off without an issuer; one-time links always work. */
export const singleSignOnSettings = {
  oidcIssuer: {
    ...optional(
      'ROWPRESS_OIDC_ISSUER',
      'Issuer URL of the OpenID Connect provider that people sign in with; empty: one-time links only.',
    ),
    accepts: 'https://…, or http://… on loopback',
    parse: parseIssuer,
  },
  oidcClientId: optional('ROWPRESS_OIDC_CLIENT_ID', 'Client id of this installation at the provider.'),
  oidcClientSecret: secret(
    'ROWPRESS_OIDC_CLIENT_SECRET',
    'Client secret of this installation at the provider; empty for a public client.',
  ),
  oidcScopes: {
    ...text('ROWPRESS_OIDC_SCOPES', 'openid profile email', 'Scopes that the sign-in requests.'),
    accepts: 'separated by spaces, with openid',
    parse: parseScopes,
  },
  oidcLabel: text('ROWPRESS_OIDC_LABEL', 'Sign in with single sign-on', 'Text of the button.'),
  oidcRoleClaim: optional(
    'ROWPRESS_OIDC_ROLE_CLAIM',
    'Claim whose values give people a role without an invitation; empty: only invited people can sign in.',
  ),
  oidcRoles: {
    ...text(
      'ROWPRESS_OIDC_ROLES',
      '[]',
      'Values of ROWPRESS_OIDC_ROLE_CLAIM and their roles, as a JSON list of {value, role, account}; the first match applies, and account is for designers and runners.',
    ),
    accepts: 'JSON',
    parse: parseClaimedRoles,
  },
} satisfies Record<string, Setting<unknown>>;

function parseIssuer(value: string): string | undefined {
  if (value === '') return undefined;
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new BadValue('must be an address that starts with https://');
  return value;
}

function parseScopes(value: string): string {
  if (!value.split(' ').includes('openid')) throw new BadValue('must contain openid');
  return value;
}

function parseClaimedRoles(value: string): ClaimedRole[] {
  let json: unknown;
  try {
    json = JSON.parse(value);
  } catch {
    throw new BadValue('must be JSON, e.g. [{"value":"clerks","role":"runner","account":"Acme"}]');
  }
  if (!Array.isArray(json)) throw new BadValue('must be a JSON list');
  return json.map(parseClaimedRole);
}

function parseClaimedRole(entry: unknown, index: number): ClaimedRole {
  const { value, role, account, ...unknown } = (entry ?? {}) as Record<string, unknown>;
  const place = `: entry ${index + 1}`;
  const extra = Object.keys(unknown)[0];
  if (extra !== undefined) throw new BadValue(`${place} has an unknown member "${extra}"`);
  if (typeof value !== 'string' || value === '')
    throw new BadValue(`${place}: value must be a text that is not empty`);
  const known = ROLES.find((name) => name === role);
  if (known === undefined) throw new BadValue(`${place}: role must be one of ${ROLES.join(', ')}`);
  const needsAccount = known === 'designer' || known === 'runner';
  if (needsAccount && (typeof account !== 'string' || account === ''))
    throw new BadValue(`${place}: account is missing, because the role ${known} belongs to one account`);
  if (!needsAccount && account !== undefined)
    throw new BadValue(`${place}: account must be absent, because the role ${known} has all accounts`);
  return { value, role: known, account: needsAccount ? String(account) : undefined };
}
