import { randomUUID } from 'node:crypto';
import type { ExportJob } from '#bulkfill/contract.ts';
import type { LayoutInput } from '#fill/package/layout-schema.ts';
import type { Surroundings } from '#main/start-context.ts';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  seal,
  startBulkfillServer,
  type TestAccount,
} from './bulkfill-server.ts';
import { undocumented } from './documented.ts';
import { type FilledArchive, openArchive } from './fill-cli.ts';

export type FieldValue = string | Uint8Array | null | undefined;
export type Fields = Readonly<Record<string, FieldValue>>;

export interface Answer<T = ExportJob & ErrorBody> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  readonly text: string;
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly retry_after_seconds?: number;
  readonly differs_in?: string[];
}

/** A row that cannot be drawn: an object in place of a mapped text. */
export const badRow = { column_0: {} };
export const rowsJson = (rows: readonly unknown[]) => JSON.stringify(rows);
export const goodRows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ column_0: `Row ${index + 1}` }));

/** A client of the API with a default form. */
export class BulkfillClient {
  readonly server: Pick<BulkfillServer, 'url'>;
  readonly account: TestAccount;
  readonly usual: Fields;

  constructor(server: Pick<BulkfillServer, 'url'>, account: TestAccount, usual: Fields) {
    this.server = server;
    this.account = account;
    this.usual = usual;
  }

  /** Sends the default form with these fields changed; `null` omits a field. */
  async create(
    fields: Fields = {},
    { key = randomUUID(), headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...this.usual, ...fields })) append(form, name, value);
    return this.post(form, { 'idempotency-key': key, ...headers });
  }

  post(body: NonNullable<RequestInit['body']>, headers: Record<string, string>): Promise<Answer> {
    return this.request('/v1/bulkfill/export-jobs', { method: 'POST', body, headers });
  }

  async request<T = ExportJob & ErrorBody>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
    const response = await this.fetch(path, init);
    const text = await response.text();
    const { status, headers } = response;
    const body = text.startsWith('{') ? JSON.parse(text) : (undefined as T);
    const code = status >= 400 ? (body as Partial<ErrorBody> | undefined)?.code : undefined;
    const fault = undocumented(init.method ?? 'GET', path, status, code);
    if (fault !== null) throw new Error(fault);
    return { status, headers, text, body };
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.account.key}`, ...(init.headers as object) };
    return fetch(`${this.server.url}${path}`, { redirect: 'manual', ...init, headers });
  }

  get(jobId: string): Promise<Answer> {
    return this.request(`/v1/bulkfill/export-jobs/${jobId}`);
  }

  async archive(jobId: string): Promise<FilledArchive> {
    const response = await this.fetch(`/v1/bulkfill/export-jobs/${jobId}/download`);
    if (response.status !== 200) throw new Error(`download: ${response.status} ${await response.text()}`);
    return openArchive(new Uint8Array(await response.arrayBuffer()));
  }
}

export interface Scene {
  readonly server: BulkfillServer;
  /** A client of an account without limits. */
  readonly client: BulkfillClient;
  /** A client with the same defaults and another account. */
  another(plan?: string): Promise<BulkfillClient>;
}

export interface SceneOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly surroundings?: Partial<Surroundings>;
  readonly layout?: LayoutInput;
  readonly pdf?: Uint8Array;
  /** Scopes of the clients' API keys. */
  readonly scopes?: readonly string[];
}

/** Keeps operators signed in when a test moves the clock. */
const LONG_SESSIONS = {
  ROWPRESS_SESSION_IDLE_SECONDS: '315360000',
  ROWPRESS_SESSION_MAX_SECONDS: '315360000',
};

/** Starts a server and a client that sends three valid rows. */
export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const pdf = options.pdf ?? letterPdf;
  const [server, sealed] = await Promise.all([
    startBulkfillServer({ ...LONG_SESSIONS, ...options.env }, options.surroundings),
    seal(options.layout ?? nameLayout, pdf),
  ]);
  const usual = {
    pdf,
    doqlo_file: sealed,
    max_failed_row_percent: '0',
    rows_json: rowsJson(goodRows(3)),
  };
  const another = async (plan = 'unlimited') =>
    new BulkfillClient(server, await server.account({ plan, scopes: options.scopes }), usual);
  return { server, client: await another(), another };
}

function append(form: FormData, name: string, value: FieldValue): void {
  if (value === null || value === undefined) return;
  if (typeof value === 'string') form.append(name, value);
  else form.append(name, new Blob([value as Uint8Array<ArrayBuffer>]), `${name}.bin`);
}
