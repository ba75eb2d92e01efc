import { type Followed, followRedirects, isRejectedLink, rejectedLink } from './follow-redirects.ts';
import { backOffMs, pause } from './pause.ts';
import { isServerSide } from './platform.ts';
import type { OnProgress } from './progress.ts';
import { readError } from './read-error.ts';
import { uuid } from './request-ids.ts';
import { isConnectionFailure, RowpressError, type Surface } from './rowpress-error.ts';
import { bytesOf, chunksOf, type Opened, streamOf } from './source.ts';
import { Watch } from './watch.ts';

export interface RowpressOptions {
  /** The URL of the server, with its base path if it has one. */
  readonly baseUrl: string;
  /** A key of one surface; the other surfaces reject it. Not needed with a client certificate. */
  readonly apiKey?: string | undefined;
  /** Replaces the global `fetch`, for example to use a proxy or a client certificate. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is repeated; 8 by default. */
  readonly retries?: number | undefined;
  /** An attempt ends if nothing is transferred for this long; 60,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** A longer `Retry-After` is not waited for: the error is thrown at once. 120 by default. */
  readonly maxRetryAfterSeconds?: number | undefined;
}

export interface Call {
  readonly surface: Surface;
  readonly method: string;
  /** A path of the API, or a link of a response, absolute or relative. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
  readonly body?: { readonly type: string; readonly source: Opened } | undefined;
  /** The Idempotency-Key or correlation id, made before the first attempt. */
  readonly key?: string | undefined;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** False: a second arrival would have a second effect, so a broken connection is not retried. */
  readonly repeatable?: boolean;
  /** Codes that the table would retry, but that never change for this call. */
  readonly final?: readonly string[];
  /** A link that is its own permission: the key is not sent, so that it never leaves for another host. */
  readonly withoutKey?: boolean;
  /** Called before each attempt. */
  readonly onAttempt?: () => void;
  /** Statuses above 399 that are results. */
  readonly accepts?: (status: number, body: unknown) => boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined if the body is empty. */
  readonly body: unknown;
}

export interface OpenResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/** A body up to this size is sent as bytes, a larger one as a stream. */
const BUFFERED_BYTES = 1024 * 1024;
const KEY_HEADER: Readonly<Record<Surface, string>> = {
  bulkfill: 'idempotency-key',
  subscribers: 'idempotency-key',
  ingest: 'x-correlation-id',
};
const REQUEST_ID_HEADER: Readonly<Record<Surface, string | undefined>> = {
  bulkfill: 'x-request-id',
  subscribers: 'x-mailrith-request-id',
  ingest: undefined,
};

/** Sends requests: one attempt after the other until one is answered, with the same key and the same request id. */
export class Transport {
  readonly #baseUrl: string;
  readonly #apiKey: string | undefined;
  readonly #fetch: typeof globalThis.fetch;
  readonly #maxRetryAfterSeconds: number;
  readonly retries: number;
  readonly timeoutMs: number;

  constructor(options: RowpressOptions) {
    if (typeof options.baseUrl !== 'string' || !/^https?:\/\//.test(options.baseUrl))
      throw new TypeError(
        `baseUrl must be the http or https URL of the server; received "${options.baseUrl}".`,
      );
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#apiKey = options.apiKey;
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.retries = options.retries ?? 8;
    this.timeoutMs = options.timeoutMs ?? 60_000;
    this.#maxRetryAfterSeconds = options.maxRetryAfterSeconds ?? 120;
  }

  /** Sends a call and reads its JSON response. */
  async send(call: Call): Promise<Answer> {
    return this.withRetries(call, (requestId) =>
      this.#attempt(call, requestId, async (response) => {
        const text = await response.text();
        const { status, headers } = response;
        return { status, headers, body: parse(call, requestId, response, text) };
      }),
    );
  }

  /** Deletes a resource. If an earlier attempt did so and its response was lost, the 404 of the retry is a success. */
  async remove(call: Call): Promise<void> {
    let attempts = 0;
    const onAttempt = () => {
      attempts += 1;
    };
    try {
      await this.send({ ...call, onAttempt });
    } catch (error) {
      if (!(error instanceof RowpressError) || error.status !== 404 || attempts < 2) throw error;
    }
  }

  /** Sends a call once and returns the response with its body as chunks, which must be read or closed. */
  async open(call: Call, idleMs = this.timeoutMs): Promise<OpenResponse> {
    const requestId = call.requestId ?? uuid();
    const watch = new Watch(idleMs, call.signal);
    try {
      const response = await this.#respond(call, requestId, watch);
      return {
        status: response.status,
        headers: response.headers,
        chunks: this.#chunks(call, requestId, response, watch),
      };
    } catch (error) {
      watch.end();
      throw this.#failure(call, requestId, watch, error);
    }
  }

  async *#chunks(
    call: Call,
    requestId: string,
    response: Response,
    watch: Watch,
  ): AsyncGenerator<Uint8Array> {
    if (response.body === null) return watch.end();
    try {
      for await (const chunk of chunksOf(response.body)) {
        // A slow consumer is not a silent server.
        watch.hold();
        yield chunk;
        watch.moving();
      }
    } catch (error) {
      throw this.#failure(call, requestId, watch, error);
    } finally {
      watch.end();
    }
  }

  /** Runs attempts until one succeeds. `act` receives the request id of all of them. */
  async withRetries<T>(call: Call, act: (requestId: string) => Promise<T>): Promise<T> {
    const requestId = call.requestId ?? uuid();
    for (let attempt = 0; ; attempt += 1) {
      try {
        call.onAttempt?.();
        return await act(requestId);
      } catch (error) {
        if (!this.mayRetry(call, error) || attempt >= this.retries) throw error;
        await this.rest(attempt, error, call.signal);
      }
    }
  }

  mayRetry(call: Call, error: unknown): error is RowpressError {
    if (call.signal?.aborted === true || !(error instanceof RowpressError)) return false;
    if (error.retry !== 'same-key' || call.final?.includes(error.code) === true) return false;
    if ((error.retryAfterSeconds ?? 0) > this.#maxRetryAfterSeconds) return false;
    return call.repeatable !== false || !isConnectionFailure(error);
  }

  /** Waits before the next attempt: the back-off, or longer if the server asks for it. */
  rest(attempt: number, error: RowpressError, signal: AbortSignal | undefined): Promise<void> {
    const asked = (error.retryAfterSeconds ?? 0) * 1000;
    // Clients that were all given the same time return at different moments.
    const ms = asked === 0 ? backOffMs(attempt) : asked + Math.random() * Math.min(asked / 4, 2_000);
    return pause(ms, signal);
  }

  /** One attempt. It times out if no byte moves for `timeoutMs`. */
  async #attempt<T>(call: Call, requestId: string, read: (response: Response) => Promise<T>): Promise<T> {
    const watch = new Watch(this.timeoutMs, call.signal);
    try {
      return await read(await this.#respond(call, requestId, watch));
    } catch (error) {
      throw this.#failure(call, requestId, watch, error);
    } finally {
      watch.end();
    }
  }

  async #respond(call: Call, requestId: string, watch: Watch): Promise<Response> {
    watch.moving();
    const { response, handedOff } = await this.#fetchFollowing(
      call,
      await this.#init(call, requestId, watch),
    );
    watch.moving();
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      throw unexpected(
        call,
        requestId,
        response,
        `redirects to ${response.headers.get('location') ?? 'another URL'}`,
      );
    if (response.status < 400) return response;
    const read = await readError(call, requestId, response);
    if (!(read instanceof RowpressError)) return read;
    throw handedOff && isRejectedLink(read) ? rejectedLink(read) : read;
  }

  async #fetchFollowing(call: Call, init: RequestInit): Promise<Followed> {
    if (isServerSide && call.method === 'GET') return followRedirects(this.#fetch, this.url(call), init);
    const response = await this.#fetch(this.url(call), init);
    return { response, handedOff: response.redirected };
  }

  #failure(call: Call, requestId: string, watch: Watch, error: unknown): unknown {
    if (call.signal?.aborted === true) return call.signal.reason;
    if (error instanceof RowpressError) return error;
    return watch.callersError?.error ?? connectionFailure(call, requestId, watch.timedOutMs, error);
  }

  async #init(call: Call, requestId: string, watch: Watch): Promise<RequestInit> {
    const requestIdHeader = REQUEST_ID_HEADER[call.surface];
    const headers: Record<string, string> = { accept: 'application/json' };
    if (this.#apiKey !== undefined && call.withoutKey !== true)
      headers.authorization = `Bearer ${this.#apiKey}`;
    if (requestIdHeader !== undefined && call.withoutKey !== true) headers[requestIdHeader] = requestId;
    if (call.key !== undefined) headers[KEY_HEADER[call.surface]] = call.key;
    for (const [name, value] of Object.entries(call.headers ?? {}))
      if (value !== undefined) headers[name] = value;
    // A header that cannot be sent, such as a key with a line break, is an error of the caller.
    watch.blameCaller(() => new Headers(headers));
    // A redirected POST would become a GET without its body. Browsers hide where a redirect leads, so they follow it
    // themselves.
    const redirect = call.method === 'GET' && !isServerSide ? 'follow' : 'manual';
    const init: RequestInit = { method: call.method, headers, redirect, signal: watch.signal };
    if (call.json !== undefined) {
      headers['content-type'] = 'application/json';
      return { ...init, body: JSON.stringify(call.json) };
    }
    if (call.body === undefined) return init;
    headers['content-type'] = call.body.type;
    return { ...init, ...(await bodyOf(call.body.source, call.onProgress, watch)) };
  }

  /** The address of a path or link. Links of this API are absolute or start with `/`, without the path of `baseUrl`. */
  url({ path, query }: Pick<Call, 'path' | 'query'>): string {
    const url = /^https?:\/\//.test(path) ? path : this.#baseUrl + path;
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {}))
      for (const one of [value].flat())
        if (one !== undefined && one !== null) search.append(name, String(one));
    const text = search.toString();
    return text === '' ? url : `${url}?${text}`;
  }
}

async function bodyOf(
  source: Opened,
  onProgress: OnProgress | undefined,
  watch: Watch,
): Promise<RequestInit> {
  const total = source.size;
  const report = (bytes: number) => onProgress?.({ phase: 'upload', bytes, totalBytes: total });
  const fail = (error: unknown): never => watch.blame(error);
  report(0);
  if (total !== undefined && total <= BUFFERED_BYTES) {
    const bytes = await bytesOf(source).catch(fail);
    report(bytes.length);
    return { body: bytes as Uint8Array<ArrayBuffer> };
  }
  if (!isServerSide) return { body: await source.blob().catch(fail) };
  const counted = async function* () {
    const chunks = source.open()[Symbol.asyncIterator]();
    try {
      for (let sent = 0; ; ) {
        const next = await chunks.next().catch(fail);
        if (next.done === true) return;
        watch.moving();
        yield next.value;
        sent += next.value.length;
        report(sent);
      }
    } finally {
      await chunks.return?.();
    }
  };
  // TypeScript's DOM library does not know `duplex`, which fetch requires for a stream.
  return { body: streamOf(counted()), duplex: 'half' } as RequestInit;
}

function parse(call: Call, requestId: string, response: Response, text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const type = response.headers.get('content-type') ?? 'application/json';
    if (!type.includes('json')) throw unexpected(call, requestId, response, `is ${type} instead of JSON`);
    // A body that ends early looks like this if the connection has no framing. The caller reports a broken connection.
    throw new Error('the response is not complete JSON', { cause: error });
  }
}

/** A response that this API does not send: `baseUrl` names something else. */
function unexpected(call: Call, requestId: string, { status }: Response, what: string): RowpressError {
  return new RowpressError(`The response of ${nameOf(call)} ${what}. Check baseUrl.`, {
    code: 'UNEXPECTED_RESPONSE',
    status,
    retry: 'no',
    requestId,
    requestKey: call.key,
  });
}

const nameOf = ({ method, path }: Call): string => `${method} ${path.split('?')[0]}`;

/** Errors of TLS do not go away by themselves. */
const PERMANENT = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|INVALID_URL/;

function connectionFailure(
  call: Call,
  requestId: string,
  timedOutMs: number | undefined,
  cause: unknown,
): RowpressError {
  const request = nameOf(call);
  const code = (cause as { cause?: { code?: string } } | undefined)?.cause?.code ?? '';
  const message =
    timedOutMs === undefined
      ? `The connection failed during ${request}: ${reasonOf(cause)}.`
      : `${request} did not complete: nothing was transferred for ${timedOutMs} ms.`;
  return new RowpressError(message, {
    code: timedOutMs === undefined ? 'CONNECTION_FAILED' : 'TIMEOUT',
    status: 0,
    retry: PERMANENT.test(code) ? 'no' : 'same-key',
    requestId,
    requestKey: call.key,
    cause,
  });
}

/** fetch hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  // The error of several addresses has a code and no message.
  return (cause?.message || cause?.code || message || 'unknown reason').replace(/\.$/, '');
}
