import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';

const SCOPES = 'openid profile email groups';
const LOGIN_PAGE = `<!doctype html><html lang="en"><title>Provider</title><form method="post">
<label>Login <input name="login"></label> <button>Continue</button> <button name="cancel" value="1">Cancel</button></form></html>`;

type Claims = Readonly<Record<string, unknown>>;

/** An OpenID Connect provider on loopback, with its own keys and a login form without passwords. */
export interface TestProvider {
  readonly issuer: string;
  /** Settings of a server that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Claims by login, which is also the subject. */
  readonly people: Map<string, Claims>;
  /** Closes every connection without a response. */
  isDown: boolean;
  /** Changes the claims of the next ID tokens and signs them again; undefined: as they are. */
  changeToken: ((claims: Claims) => Claims) | undefined;
  /** Breaks the signature of the next ID tokens. */
  breaksSignatures: boolean;
  /** Registers the client with this redirect URI. */
  allow(redirectUri: string): void;
  /** Signs in as a browser would, and returns the query that the provider sends back; without a login, cancels. */
  signIn(authorizationUrl: string, login?: string): Promise<string>;
  stop(): Promise<void>;
}

/** `host` is that of the issuer; the provider listens on 127.0.0.1. */
export async function startIdentityProvider(host = '127.0.0.1'): Promise<TestProvider> {
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    if (state.isDown || handle === undefined) request.socket.destroy();
    else handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'ES256', use: 'sig' };
  const state: TestProvider = {
    issuer,
    env: {
      ROWPRESS_OIDC_ISSUER: issuer,
      ROWPRESS_OIDC_CLIENT_ID: 'rowpress',
      ROWPRESS_OIDC_CLIENT_SECRET: 'client-secret',
      ROWPRESS_OIDC_SCOPES: SCOPES,
    },
    people: new Map(),
    isDown: false,
    changeToken: undefined,
    breaksSignatures: false,
    allow: (redirectUri) => {
      const provider = buildProvider(issuer, redirectUri, key, state.people);
      provider.use(async (context, next) => {
        await next();
        const body = context.body as { id_token?: string } | undefined;
        if (context.path === '/token' && body?.id_token !== undefined)
          body.id_token = changedToken(body.id_token, key, state);
      });
      const serve = provider.callback();
      handle = (request, response) => {
        if (request.url?.startsWith('/login/') !== true) return serve(request, response);
        void answerLogin(provider, request, response);
      };
    },
    signIn,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}

function buildProvider(
  issuer: string,
  redirectUri: string,
  key: object,
  people: ReadonlyMap<string, Claims>,
): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'rowpress',
        client_secret: 'client-secret',
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['test'] },
    scopes: SCOPES.split(' '),
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/login/${uid}` },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...people.get(sub) }),
    }),
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc: { client, session } }: ProviderContext) => {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
  });
  return provider;
}

interface ProviderContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

async function answerLogin(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(LOGIN_PAGE);
    return;
  }
  const form = new URLSearchParams(await text(request));
  const result = form.has('cancel')
    ? { error: 'access_denied', error_description: '<b>no</b>' }
    : { login: { accountId: form.get('login') } };
  await provider.interactionFinished(request, response, result);
}

function changedToken(
  token: string,
  key: object,
  { changeToken, breaksSignatures }: Pick<TestProvider, 'changeToken' | 'breaksSignatures'>,
): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  if (breaksSignatures) return `${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`;
  if (changeToken === undefined) return token;
  const claims = changeToken(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  const content = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const privateKey = createPrivateKey({ key: key as never, format: 'jwk' });
  const signed = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signed.toString('base64url')}`;
}

/** A browser that is new to the provider: follows redirects, stores cookies, and submits the form. */
async function signIn(authorizationUrl: string, login?: string): Promise<string> {
  const cookies = new Map<string, string>();
  const origin = new URL(authorizationUrl).origin;
  let address = new URL(authorizationUrl);
  for (let step = 0; step < 10; step += 1) {
    if (address.origin !== origin) return address.search.slice(1);
    const isForm = address.pathname.startsWith('/login/');
    const body = new URLSearchParams(login === undefined ? { cancel: '1' } : { login });
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(isForm && { method: 'POST', body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) throw new Error(`${address.pathname}: ${response.status} ${await response.text()}`);
    address = new URL(next, address);
  }
  throw new Error('the provider redirects without end');
}
