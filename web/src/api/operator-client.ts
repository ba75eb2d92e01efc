import { addressOf } from '../shell/base-path.ts';

/** A refusal in the words of the server; every surface's envelope becomes this one. */
export class ServerRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly details: unknown;

  constructor(status: number, body: unknown, requestId: string | undefined) {
    const told = readEnvelope(body);
    super(told.message ?? `The server answered ${status}.`);
    this.name = 'ServerRefusal';
    this.status = status;
    this.code = told.code ?? 'UNKNOWN';
    this.field = told.field;
    this.details = told.details;
    this.requestId = told.requestId ?? requestId;
  }
}

interface Told {
  code?: string | undefined;
  message?: string | undefined;
  field?: string | undefined;
  details?: unknown;
  requestId?: string | undefined;
}

/** `{error: {code, message}}` (Bulk Fill, operator), `{error: …, message}` and problem+json (`code`, `detail`). */
function readEnvelope(body: unknown): Told {
  if (typeof body !== 'object' || body === null) return {};
  const outer = body as Record<string, unknown>;
  const inner = typeof outer.error === 'object' && outer.error !== null ? outer.error : outer;
  const members = inner as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    code: text(members.code) ?? text(outer.error),
    message: text(members.message) ?? text(members.detail) ?? text(members.title),
    field: text(members.field),
    details: members.details,
    requestId: text(members.request_id) ?? text(outer.request_id),
  };
}

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | undefined | null>>;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** The account this call acts for (routes under `/acting`). */
  readonly account?: string;
  readonly signal?: AbortSignal;
}

let csrfToken = '';
/** The session's token against forged requests; every unsafe call carries it. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

let onSignedOut: () => void = () => {};
/** Called when the server no longer knows the session: it ended, or somebody ended it. */
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

/** The raw answer of a call that was not refused. */
export async function call(path: string, options: CallOptions = {}): Promise<Response> {
  const { method = 'GET', json, form, account, signal } = options;
  const headers = new Headers(options.headers);
  if (json !== undefined) headers.set('content-type', 'application/json');
  if (method !== 'GET') headers.set('x-csrf-token', csrfToken);
  if (account !== undefined) headers.set('x-rowpress-account', encodeURIComponent(account));
  const body = json === undefined ? form : JSON.stringify(json);
  const answer = await fetch(operatorUrl(path, options.query), {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.ok) return answer;
  const told: unknown = await answer.json().catch(() => undefined);
  if (answer.status === 401 && path !== '/session') onSignedOut();
  throw new ServerRefusal(answer.status, told, answer.headers.get('x-request-id') ?? undefined);
}

/** The JSON of a call that was not refused; its type is the caller's knowledge of the route. */
export async function callJson<Body>(path: string, options: CallOptions = {}): Promise<Body> {
  const answer = await call(path, options);
  return (answer.status === 204 ? undefined : await answer.json()) as Body;
}
