import { addressOf } from '../shell/base-path.ts';
import { ServerRefusal } from './server-refusal.ts';

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | undefined | null>>;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** The account to act for, on routes under `/acting`. */
  readonly account?: string;
  readonly signal?: AbortSignal;
  /** The request goes on when the page is closed. */
  readonly keepalive?: boolean;
}

let csrfToken = '';
/** Sets the session's CSRF token, which every unsafe request sends. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

let onSignedOut: () => void = () => {};
/** Sets the listener that runs when a request is rejected because the session has ended. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

export function operatorUrl(path: string, query: CallOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  }
  const tail = parameters.size === 0 ? '' : `?${parameters}`;
  return addressOf(`/operator/v1${path}${tail}`);
}

/** Sends a request and returns its response. Throws ServerRefusal if the status is not 2xx. */
export async function call(path: string, options: CallOptions = {}): Promise<Response> {
  const { method = 'GET', json, form, account, signal } = options;
  const headers = new Headers(options.headers);
  if (json !== undefined) headers.set('content-type', 'application/json');
  if (method !== 'GET') headers.set('x-csrf-token', csrfToken);
  if (account !== undefined) headers.set('x-rowpress-account', encodeURIComponent(account));
  const content = json === undefined ? form : JSON.stringify(json);
  const response = await fetch(operatorUrl(path, options.query), {
    method,
    headers,
    credentials: 'same-origin',
    ...(options.keepalive === true && { keepalive: true }),
    ...(content === undefined ? {} : { body: content }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status === 401 && path !== '/session') onSignedOut();
  throw new ServerRefusal(response.status, body, response.headers);
}

/** Sends a request and returns the JSON of its response. `Body` is the type of the route's response schema. */
export async function callJson<Body>(path: string, options: CallOptions = {}): Promise<Body> {
  const response = await call(path, options);
  return (response.status === 204 ? undefined : await response.json()) as Body;
}
