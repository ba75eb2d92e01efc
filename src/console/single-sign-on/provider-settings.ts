import type { Config } from '#config.ts';
import { isLoopbackHost } from '../session/link-address.ts';

/** What the client of the provider is built from. */
export interface ProviderSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  readonly roleClaim: string | undefined;
}

type ReadSettings =
  | { readonly kind: 'off' }
  | { readonly kind: 'wrong'; readonly problem: string }
  | { readonly kind: 'on'; readonly settings: ProviderSettings };

type Given = Pick<
  Config,
  'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcScopes' | 'oidcRoleClaim' | 'oidcRoles'
>;

/**
 * Reads the settings of single sign-on. Settings that contradict each other turn it off and are named at the start; they do not stop
 * the server, because people can still sign in with links.
 */
export function readProviderSettings(config: Given): ReadSettings {
  const { oidcIssuer, oidcClientId: clientId, oidcRoleClaim: roleClaim } = config;
  if (oidcIssuer === undefined)
    return clientId === undefined && roleClaim === undefined
      ? { kind: 'off' }
      : wrong('ROWPRESS_OIDC_ISSUER is missing. Set it to the issuer URL of the provider.');
  const issuer = new URL(oidcIssuer);
  if (!isAllowedAddress(issuer))
    return wrong(
      `ROWPRESS_OIDC_ISSUER must start with https://, unless it is on this machine; received "${oidcIssuer}".`,
    );
  if (clientId === undefined)
    return wrong('ROWPRESS_OIDC_CLIENT_ID is missing. Set it to the client id that the provider shows.');
  if ((roleClaim === undefined) !== (config.oidcRoles.length === 0))
    return wrong('ROWPRESS_OIDC_ROLE_CLAIM and ROWPRESS_OIDC_ROLES must be set together.');
  const { oidcClientSecret: clientSecret, oidcScopes: scopes } = config;
  return { kind: 'on', settings: { issuer, clientId, clientSecret, scopes, roleClaim } };
}

const wrong = (problem: string): ReadSettings => ({ kind: 'wrong', problem });

/** Tokens travel over TLS; only a provider on this machine may do without. */
export const isAllowedAddress = ({ protocol, host }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(host));
