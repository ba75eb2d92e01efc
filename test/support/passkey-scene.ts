import { expect } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from './bulkfill-server.ts';
import { ConsoleClient, type Session, signedIn } from './console-client.ts';
import { assertion, makePasskey, registration, type SoftwarePasskey } from './software-authenticator.ts';

export interface PasskeyOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly excludeCredentials: readonly { readonly id: string }[];
}

export interface ListedPasskey {
  readonly id: string;
  readonly name: string;
  readonly operator: { readonly id: string; readonly name: string };
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly is_own: boolean;
}

/** A server whose console is opened as `localhost`, and people who add and use passkeys there. */
export class PasskeyScene {
  readonly server: BulkfillServer;
  readonly local: { readonly url: string };
  readonly page: { readonly origin: string; readonly rpId: string };
  /** The first person, an operator. */
  readonly operator: ConsoleClient;

  private constructor(server: BulkfillServer, url: string, operator: ConsoleClient) {
    this.server = server;
    this.local = { url };
    this.page = { origin: url, rpId: 'localhost' };
    this.operator = operator;
  }

  static async start(): Promise<PasskeyScene> {
    const server = await startBulkfillServer();
    // Browsers create passkeys only for host names.
    const url = server.url.replace('127.0.0.1', 'localhost');
    return new PasskeyScene(server, url, await signedIn({ ...server, url }));
  }

  /** One address and one person may get twenty challenges a minute. */
  waitForLimits(): void {
    this.server.clock.advance(61_000);
  }

  /** A client without a session. */
  nobody(): ConsoleClient {
    return new ConsoleClient(this.local);
  }

  async join(name: string, role = 'operator', account?: string): Promise<ConsoleClient> {
    this.waitForLimits();
    const order = { name, role, ...(account !== undefined && { account }) };
    const { link } = (await this.operator.post<{ link: string }>('/invitations', order)).body;
    const client = this.nobody();
    expect((await client.signIn(link)).status).toBe(200);
    return client;
  }

  async signInOptions(client = this.nobody()): Promise<PasskeyOptions> {
    return (await client.post<PasskeyOptions>('/session/passkey-options')).body;
  }

  async add(client: ConsoleClient, name = 'Laptop') {
    const options = await optionsFor(client);
    const passkey = makePasskey(options.user.id);
    const answer = await client.post<ListedPasskey>('/passkeys', {
      name,
      credential: registration(passkey, options, this.page),
    });
    expect([answer.status, answer.body.error]).toEqual([201, undefined]);
    return { passkey, listed: answer.body };
  }

  async signIn(passkey: SoftwarePasskey, client = this.nobody()) {
    passkey.counter += 1;
    const answer = await client.post<Session>(
      '/session/passkey',
      assertion(passkey, await this.signInOptions(), this.page),
    );
    client.cookie = answer.headers.get('set-cookie')?.split(';', 1)[0];
    client.csrf = answer.body.csrf_token;
    return { ...answer, client };
  }
}

export const idOf = async (client: ConsoleClient) => (await client.get<Session>('/session')).body.operator.id;

/** What a browser needs to create a passkey. */
export const optionsFor = async (client: ConsoleClient) =>
  (await client.post<PasskeyOptions>('/passkeys/options')).body;

/** The status and the error code. */
export const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
];
