import type { BulkfillServer } from './bulkfill-server.ts';

export interface ConsoleAnswer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T & { readonly error: ConsoleError };
}

export interface ConsoleError {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly request_id: string;
  readonly details?: readonly {
    readonly path: string;
    readonly overlay_id?: string;
    readonly message: string;
  }[];
}

export const tokenOf = (link: string | undefined): string =>
  /#token=(\w+)$/.exec(link ?? '')?.[1] ?? 'no link';

/** Acts as a browser: stores the cookie and sends the CSRF token. */
export class ConsoleClient {
  readonly url: string;
  cookie: string | undefined;
  csrf: string | undefined;

  constructor(server: Pick<BulkfillServer, 'url'>) {
    this.url = server.url;
  }

  /** Exchanges a link's token; a rejected token leaves the client unchanged. */
  async signIn(link: string | undefined): Promise<ConsoleAnswer<Session>> {
    const answer = await this.post<Session>('/session', { token: tokenOf(link) });
    const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0];
    if (answer.status === 200 && cookie !== undefined) {
      this.cookie = cookie;
      this.csrf = answer.body.csrf_token;
    }
    return answer;
  }

  get<T = Record<string, unknown>>(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<ConsoleAnswer<T>> {
    return this.request<T>('GET', path, { headers });
  }

  post<T = Record<string, unknown>>(path: string, body?: object): Promise<ConsoleAnswer<T>> {
    return this.request<T>('POST', path, jsonOf(body));
  }

  patch<T = Record<string, unknown>>(path: string, body: object): Promise<ConsoleAnswer<T>> {
    return this.request<T>('PATCH', path, jsonOf(body));
  }

  delete<T = Record<string, unknown>>(path: string): Promise<ConsoleAnswer<T>> {
    return this.request<T>('DELETE', path);
  }

  async request<T = Record<string, unknown>>(
    method: string,
    path: string,
    init: RequestInit = {},
  ): Promise<ConsoleAnswer<T>> {
    const response = await this.fetch(path, { ...init, method });
    const text = await response.text();
    const body = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, body };
  }

  /** Adds the headers that a page of this origin would send. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = {
      ...(this.cookie !== undefined && { cookie: this.cookie }),
      ...(this.csrf !== undefined && { 'x-csrf-token': this.csrf }),
      ...(init.headers as object),
    };
    return fetch(`${this.url}/operator/v1${path}`, { redirect: 'manual', ...init, headers });
  }
}

export interface Session {
  readonly signed_in: boolean;
  readonly operator: { readonly id: string; readonly name: string };
  readonly csrf_token: string;
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly active: boolean }[];
}

export interface Listed<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

/** Signs in with the link that the server created at startup. */
export async function signedIn(server: BulkfillServer): Promise<ConsoleClient> {
  const client = new ConsoleClient(server);
  const { status } = await client.signIn(server.signInLink);
  if (status !== 200) throw new Error(`sign-in: ${status}`);
  return client;
}

function jsonOf(body: object | undefined): RequestInit {
  return body === undefined
    ? {}
    : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** Stores the cookies of a response, as a browser does. */
export function keepCookies(client: ConsoleClient, { headers }: { readonly headers: Headers }): void {
  const kept = new Map((client.cookie ?? '').split('; ').map((pair) => [pair.split('=')[0] ?? '', pair]));
  kept.delete('');
  for (const cookie of headers.getSetCookie()) {
    const [pair = ''] = cookie.split(';');
    const [name = '', value] = pair.split('=');
    if (value === '') kept.delete(name);
    else kept.set(name, pair);
  }
  client.cookie = [...kept.values()].join('; ');
}
