import * as oidc from 'openid-client';
import type { Clock } from '#lib/clock.ts';
import { ProviderRefusal, ProviderUnavailable, toProviderError } from './provider-errors.ts';
import { isAllowedAddress, type ProviderSettings } from './provider-settings.ts';

/** Each request to the provider. */
const TIMEOUT_SECONDS = 10;
/** A provider changes its endpoints and keys rarely; new keys are also read when a token names one that is unknown. */
const DISCOVERY_MS = 600_000;
const CLOCK_TOLERANCE_SECONDS = 30;

/** What ties an authorization response to the browser that asked for it. */
export interface SignInChecks {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/**
 * The client of one OpenID Connect provider: authorization code flow with PKCE. It sends requests only to the configured issuer and
 * to the endpoints that the issuer's discovery document names, and follows no redirects.
 */
export class IdentityProvider {
  readonly #settings: ProviderSettings;
  readonly #clock: Clock;
  #found: { readonly client: Promise<oidc.Configuration>; readonly until: number } | undefined;

  constructor(settings: ProviderSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Returns the address at the provider where a person signs in. */
  async authorizationUrl({ redirectUri, state, nonce, verifier }: SignInChecks): Promise<string> {
    const client = await this.#client();
    return buildAddress(client, {
      redirect_uri: redirectUri,
      scope: this.#settings.scopes,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
  }

  /**
   * Exchanges the query of an authorization response for the claims of the person. Verifies state, issuer, nonce, audience, expiry and
   * signature.
   */
  async claims(query: string, { redirectUri, state, nonce, verifier }: SignInChecks): Promise<Claims> {
    const client = await this.#client();
    const answer = new URL(redirectUri);
    answer.search = query;
    try {
      const tokens = await oidc.authorizationCodeGrant(client, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new ProviderRefusal('the response has no ID token');
      return await this.#withUserInfo(client, claims, tokens.access_token);
    } catch (error) {
      throw toProviderError(error);
    }
  }

  /** Some providers put these claims only into the response of the userinfo endpoint. */
  async #withUserInfo(client: oidc.Configuration, claims: Claims, accessToken: string): Promise<Claims> {
    const wanted = ['email', 'email_verified', this.#settings.roleClaim ?? 'email'];
    const isComplete = wanted.every((claim) => claims[claim] !== undefined);
    if (isComplete || client.serverMetadata().userinfo_endpoint === undefined) return claims;
    const info = await oidc.fetchUserInfo(client, accessToken, claims.sub);
    return { ...info, ...claims, ...addressIn(claims, info) };
  }

  #client(): Promise<oidc.Configuration> {
    const now = this.#clock.now().getTime();
    if (this.#found !== undefined && now < this.#found.until) return this.#found.client;
    const client = this.#discover();
    const found = { client, until: now + DISCOVERY_MS };
    this.#found = found;
    // The next sign-in retries.
    client.catch(() => {
      if (this.#found === found) this.#found = undefined;
    });
    return client;
  }

  async #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const metadata = { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const execute = [
      oidc.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
    ];
    const options = { timeout: TIMEOUT_SECONDS, execute, [oidc.customFetch]: fetchAllowed };
    const client = await oidc
      .discovery(issuer, clientId, metadata, clientAuthentication(clientSecret), options)
      .catch((error: unknown) => {
        throw new ProviderUnavailable(`cannot read the discovery document of ${issuer.href}`, error);
      });
    refuseAllTenants(client);
    return client;
  }
}

/**
 * Entra ID has addresses for the tenants of everybody, with a placeholder as the issuer, which the library fills with the tenant of the
 * token. The administrators of any tenant can give their people the role that a claim names, so one tenant must be configured.
 */
function refuseAllTenants(client: oidc.Configuration): void {
  const { issuer } = client.serverMetadata();
  if (issuer.includes('{'))
    throw new ProviderUnavailable(
      `ROWPRESS_OIDC_ISSUER must name one tenant; it accepts all, as ${issuer}`,
      undefined,
    );
}

function buildAddress(client: oidc.Configuration, parameters: Record<string, string>): string {
  let address: URL | undefined;
  let cause: unknown;
  try {
    address = oidc.buildAuthorizationUrl(client, parameters);
  } catch (error) {
    cause = error;
  }
  if (address === undefined || !isAllowedAddress(address))
    throw new ProviderUnavailable('the discovery document names no sign-in address with https', cause);
  return address.href;
}

/** The address with the flag of the same source: the flag of one source says nothing about the address of the other. */
function addressIn(claims: Claims, info: Readonly<Record<string, unknown>>) {
  const isComplete = claims.email !== undefined && claims.email_verified !== undefined;
  const { email, email_verified } = isComplete || info.email === undefined ? claims : info;
  return { email, email_verified };
}

/** Uses the method that the provider supports; client_secret_basic is the default of the standard. */
function clientAuthentication(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method = supported.includes('client_secret_basic') ? basic : post;
    return method(server, client, body, headers);
  };
}

/** Without this check, a provider on this machine could name endpoints on other machines that have no TLS. */
const fetchAllowed: oidc.CustomFetch = (url, options) => {
  if (!isAllowedAddress(new URL(url)))
    throw new ProviderUnavailable('the discovery document names an endpoint without https', undefined);
  return fetch(url, options as RequestInit);
};
