import { ToolFailure, tokenOf } from './tool-failure.ts';

/**
 * The public HTTP API as one caller sees it: over the network (`rowpress mcp`) or inside the server (`POST /mcp`). Tools use
 * nothing else, so that every rule of the API applies to them unchanged.
 */
export interface Api {
  /** The address of the server in links, without a slash at the end. */
  readonly baseUrl: string;
  fetch(path: string, init: ApiRequest): Promise<Response>;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** What a tool runs with. */
export interface ToolContext {
  readonly api: Api;
  /** Aborts when the caller cancels the call or disconnects. */
  readonly signal: AbortSignal;
}

const BASE = '/v1/bulkfill';

type Query = Readonly<Record<string, string | number | undefined>>;

/** Reads a resource of the API as JSON. */
export async function readJson<T>(context: ToolContext, path: string, query: Query = {}): Promise<T> {
  return (await (await read(context, path, query)).json()) as T;
}

/** Reads a resource of the API. An error of the API is thrown as a `ToolFailure`. */
export async function read(context: ToolContext, path: string, query: Query = {}): Promise<Response> {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  const response = await send(context, `${path}${search}`, { method: 'GET', headers: {} });
  if (!response.ok) throw await failureOf(response);
  return response;
}

/** Creates something once per key. `isResult` accepts an error status whose body is a result, such as a failed job. */
export async function create<T>(
  context: ToolContext,
  path: string,
  { key, waitSeconds, body }: { readonly key: string; readonly waitSeconds: number; readonly body: object },
  isResult: (body: unknown) => body is T,
): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': key,
    prefer: `wait=${waitSeconds}`,
  };
  const response = await send(context, path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  const answer = parse(text);
  if (isResult(answer)) return answer;
  throw await failureOf(new Response(text, response));
}

async function send(
  { api, signal }: ToolContext,
  path: string,
  init: Omit<ApiRequest, 'signal'>,
): Promise<Response> {
  try {
    return await api.fetch(`${BASE}${path}`, { ...init, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ToolFailure('SERVICE_UNAVAILABLE', `Cannot reach ${api.baseUrl}: ${reasonOf(error)}.`);
  }
}

/** fetch() reports only that it failed; the reason is its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message } = cause as { code?: string; message?: string };
  return code ?? message ?? 'the connection failed';
}

async function failureOf(response: Response): Promise<ToolFailure> {
  const { status, headers } = response;
  const body = parse(await response.text().catch(() => '')) as Readonly<Record<string, unknown>> | undefined;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const extra = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    differsIn: Array.isArray(body?.differs_in) ? body.differs_in.map(String) : undefined,
  };
  if (typeof body?.code === 'string')
    return new ToolFailure(tokenOf(body.code), String(body.message ?? ''), extra);
  // Not from Rowpress, but from a proxy in front of it.
  const code = status >= 500 || status === 429 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR';
  return new ToolFailure(code, `The server answered with status ${status} and no error code.`, extra);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
