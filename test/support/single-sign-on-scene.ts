import { type BulkfillServer, startBulkfillServer } from './bulkfill-server.ts';
import {
  type ConsoleAnswer,
  ConsoleClient,
  keepCookies,
  type Listed,
  type Session,
  signedIn,
} from './console-client.ts';
import { startIdentityProvider, type TestProvider } from './identity-provider.ts';

export const PUBLIC_URL = 'http://rowpress.test';
export const MINUTE_MS = 60_000;

/** A server with an identity provider, which gives roles by the claim `groups`, and the account `Acme`. */
export class SingleSignOnScene {
  readonly provider: TestProvider;
  readonly server: BulkfillServer;
  readonly env: Readonly<Record<string, string>>;
  readonly operator: ConsoleClient;

  private constructor(
    provider: TestProvider,
    server: BulkfillServer,
    env: Readonly<Record<string, string>>,
    operator: ConsoleClient,
  ) {
    this.provider = provider;
    this.server = server;
    this.env = env;
    this.operator = operator;
  }

  static async start(): Promise<SingleSignOnScene> {
    const provider = await startIdentityProvider();
    provider.allow(`${PUBLIC_URL}/sign-in`);
    const env = {
      ...provider.env,
      // The same address; a redirect URI is compared as a text.
      ROWPRESS_PUBLIC_URL: 'http://Rowpress.test:80',
      ROWPRESS_OIDC_LABEL: 'Sign in with Example ID',
      ROWPRESS_OIDC_ROLE_CLAIM: 'groups',
      ROWPRESS_OIDC_ROLES: JSON.stringify([
        { value: 'admins', role: 'operator' },
        { value: 'clerks', role: 'runner', account: 'Acme' },
        { value: 'strays', role: 'designer', account: 'Nowhere' },
      ]),
    };
    const server = await startBulkfillServer(env);
    const operator = await signedIn(server);
    await operator.post('/accounts', { name: 'Acme' });
    return new SingleSignOnScene(provider, server, env, operator);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.provider.stop();
  }

  /** One address may attempt twenty sign-ins a minute. */
  waitForLimits(): void {
    this.server.clock.advance(MINUTE_MS + 1_000);
  }

  repairProvider(): void {
    this.provider.isDown = false;
    this.provider.changeToken = undefined;
    this.provider.breaksSignatures = false;
  }

  async begin(client = new ConsoleClient(this.server)) {
    const started = await client.post<{ authorization_url: string }>('/single-sign-on');
    keepCookies(client, started);
    return { client, started, url: started.body.authorization_url };
  }

  async signInAs(login: string) {
    const { client, url } = await this.begin();
    return { client, answer: await complete(client, await this.provider.signIn(url, login)) };
  }

  invite(name: string, role: object = {}) {
    return this.operator.post<{ link: string }>('/invitations', { name, ...role });
  }

  async people() {
    type Person = { id: string; name: string; role: string; sessions: number };
    return (await this.operator.get<Listed<Person>>('/operators?limit=100')).body.items;
  }
}

export async function complete(client: ConsoleClient, response: string): Promise<ConsoleAnswer<Session>> {
  const answer = await client.post<Session>('/single-sign-on/session', { response });
  keepCookies(client, answer);
  client.csrf = answer.body.csrf_token;
  return answer;
}

export const verified = (email: string) => ({ email, email_verified: true });

/** The status and the error code. */
export const codeOf = (answer: ConsoleAnswer<unknown>) => [answer.status, answer.body.error?.code];
