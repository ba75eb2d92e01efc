import { ArchiveCheck } from './archive-check.ts';
import { toCamel, toSnake } from './camel-case.ts';
import { type Downloaded, type DownloadOptions, downloadStream, downloadTo } from './download.ts';
import { formOf } from './export-form.ts';
import { FileCheck } from './file-check.ts';
import { listAll } from './pages.ts';
import type { CallOptions, ProgressOptions } from './progress.ts';
import { Projects } from './projects.ts';
import { uuid } from './request-ids.ts';
import type { Source } from './source.ts';
import type { Call, Transport } from './transport.ts';
import { waitForJob } from './wait-for-job.ts';
import type { Wire } from './wire-types.ts';

export type ExportJob = Wire<'ExportJob'>;
export type ProblemRow = Wire<'ProblemRow'>;
export type Manifest = Wire<'ExportManifest'>;
export type IdempotencyKeyRecord = Wire<'IdempotencyKey'>;
/** One row: cells by `column_0`, `column_1`, … or, with `matchColumns: 'label'`, by label. */
export type Row = object;

/** A preset of the server, or the geometry of the sheet in points. */
export type Sheet = SheetChoices & ({ readonly preset: string } | SheetGeometry);

export interface SheetChoices {
  /** Labels left free on the first sheet. */
  readonly skip?: number | undefined;
  readonly order?: 'across' | 'down' | undefined;
  /** Whether crop marks are drawn. */
  readonly marks?: boolean | undefined;
}

export interface SheetGeometry {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  readonly marginLeft: number;
  readonly marginTop: number;
  readonly pitchX: number;
  readonly pitchY: number;
  readonly labelWidth?: number | undefined;
  readonly labelHeight?: number | undefined;
}

export interface ExportOptions {
  /** The job fails once more rows than this have failed; 0 to 100. */
  readonly maxFailedRowPercent: number;
  readonly matchColumns?: 'position' | 'label' | undefined;
  /** The first line of the CSV or sheet is a header. */
  readonly csvHeader?: boolean | undefined;
  readonly csvEncoding?: string | undefined;
  readonly cellValues?: 'shown' | 'raw' | undefined;
  /** A ZIP of pictures that image cells name. */
  readonly assets?: Source | undefined;
  readonly includeStickers?: boolean | undefined;
  readonly flattenForms?: boolean | undefined;
  /** Columns whose values become part of the file names; at most 3. */
  readonly filenameColumns?: readonly string[] | undefined;
  /** Keys or labels of columns; rows with equal values in them become one document. At most 3. */
  readonly groupBy?: readonly string[] | undefined;
  /** One PDF per row (`zip`, the default), one PDF of all rows (`merged`), or both. */
  readonly output?: 'zip' | 'merged' | 'both' | undefined;
  /** With `merged` and `both`: places page 1 of each row on sheets of labels. */
  readonly sheet?: Sheet | undefined;
  /** With `merged` and `both`, without `sheet`: a blank page follows each document with an odd number of pages. */
  readonly duplex?: boolean | undefined;
  /** Key or label of the column whose values encrypt the rows' PDFs; only with `zip`. */
  readonly passwordColumn?: string | undefined;
  /** Key or label of the column that receives the address at which each document can be verified. */
  readonly verifyColumn?: string | undefined;
  /** Add `manifest.sig`, a signature of the manifest with the installation's seal key. */
  readonly signManifest?: boolean | undefined;
  /** Make the manifest only. */
  readonly dryRun?: boolean | undefined;
  readonly deliveryMode?: 'response' | 'webhook' | undefined;
  readonly webhookUrl?: string | undefined;
  readonly webhookSecret?: string | undefined;
}

/** Exactly one of these gives the rows. */
export type RowInput =
  | { readonly rows: readonly Row[] }
  | { readonly csv: Source }
  | { readonly xlsx: Source }
  /** Stored rows of another surface, such as `subscribers:status=Active`. */
  | { readonly rowsFrom: string };

/** A PDF and its package, or a project of the server: its id or name, optionally with `@version`. */
export type FormInput = { readonly pdf: Source; readonly package: Source } | { readonly project: string };

export type NewExport = ExportOptions & RowInput & FormInput;

export interface CreateOptions extends ProgressOptions {
  /** Makes two requests the same request; a random UUID by default. */
  readonly idempotencyKey?: string | undefined;
  /** Identifies the request in the server's log and in webhooks; a random UUID by default. */
  readonly requestId?: string | undefined;
}

export interface RetryRows {
  /** Rows to use instead of the failed ones, with all their cells. */
  readonly rows?: readonly {
    readonly rowNumber: number;
    readonly cells: Readonly<Record<string, string | null>>;
  }[];
  readonly maxFailedRowPercent?: number | undefined;
}

const JOBS = '/v1/bulkfill/export-jobs';
const surface = 'bulkfill' as const;
/** Longest time that a create waits for its job; below the patience of common proxies. */
const MAX_SYNC_WAIT_SECONDS = 10;

/** Fills a PDF for each row of data: `/v1/bulkfill`. */
export class Bulkfill {
  readonly #transport: Transport;
  readonly projects: Projects;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.projects = new Projects(transport);
  }

  /** Creates a job and returns it without waiting for its end. */
  async create(input: NewExport, options: CreateOptions = {}): Promise<ExportJob> {
    return this.#create(JOBS, await formOf(input), options, 0);
  }

  /** Creates a job and waits until it has completed or failed. A failed job is returned, not thrown. */
  async createAndWait(input: NewExport, options: CreateOptions = {}): Promise<ExportJob> {
    const job = await this.#create(JOBS, await formOf(input), options, this.#syncWaitSeconds);
    return isSettled(job) ? job : this.wait(job.jobId, options);
  }

  async get(jobId: string, options: CallOptions = {}): Promise<ExportJob> {
    const { body } = await this.#transport.send({ surface, method: 'GET', path: pathOf(jobId), ...options });
    return toCamel(body);
  }

  /** Waits until the job has completed or failed, by server-sent events or by polling. */
  async wait(jobId: string, options: ProgressOptions = {}): Promise<ExportJob> {
    const { signal, onProgress } = options;
    const report = (
      status: string,
      rows: { rows_done?: number; rows_total?: number; rows_failed?: number } = {},
    ) =>
      onProgress?.({
        phase: 'job',
        status,
        done: rows.rows_done,
        total: rows.rows_total,
        failed: rows.rows_failed,
      });
    return waitForJob({
      transport: this.#transport,
      signal,
      get: () => this.get(jobId, { signal }),
      isSettled,
      onState: (job) => report(job.status),
      events: {
        call: { surface, method: 'GET', path: `${pathOf(jobId)}/events` },
        onEvent: (name, data) => {
          const event = data as {
            status: string;
            rows_done: number;
            rows_total: number;
            rows_failed: number;
          };
          report(event.status, event);
          return name === 'settled' ? 'settled' : 'go on';
        },
      },
    });
  }

  /** Ends an open job as failed (`EXPORT_CANCELLED`). For a settled job, deletes its files. */
  async cancel(jobId: string, options: CallOptions = {}): Promise<ExportJob> {
    const { body } = await this.#transport.send({
      surface,
      method: 'DELETE',
      path: pathOf(jobId),
      ...options,
    });
    return toCamel(body);
  }

  /** Makes a new job from the rows that failed; from all rows if the job failed. */
  async retry(jobId: string, changes: RetryRows = {}, options: CreateOptions = {}): Promise<ExportJob> {
    return this.#create(`${pathOf(jobId)}/retry`, { json: toSnake(changes) }, options, 0);
  }

  async retryAndWait(
    jobId: string,
    changes: RetryRows = {},
    options: CreateOptions = {},
  ): Promise<ExportJob> {
    const job = await this.#create(
      `${pathOf(jobId)}/retry`,
      { json: toSnake(changes) },
      options,
      this.#syncWaitSeconds,
    );
    return isSettled(job) ? job : this.wait(job.jobId, options);
  }

  /** All jobs of the account, newest first. */
  list(options: CallOptions = {}): AsyncGenerator<ExportJob, void, void> {
    return listAll(this.#transport, { surface, path: JOBS, query: { limit: 100 }, ...options });
  }

  /** Failed rows, skipped overlays and notes, in row order. */
  problemRows(
    jobId: string,
    { status, ...options }: CallOptions & { readonly status?: ProblemRow['status'] | undefined } = {},
  ): AsyncGenerator<ProblemRow, void, void> {
    const path = `${pathOf(jobId)}/problem-rows`;
    return listAll(this.#transport, { surface, path, query: { limit: 1000, status }, ...options });
  }

  /** Downloads the ZIP to a path (Node, Deno, Bun) or into a stream, and checks every row's SHA-256. */
  async download(
    jobId: string,
    destination: string | URL | WritableStream<Uint8Array>,
    options: DownloadOptions = {},
  ): Promise<Downloaded> {
    return downloadTo(this.#transport, downloadCall(jobId, options), destination, options, checkOf(options));
  }

  /** The ZIP as a stream that resumes by itself. It fails before its last chunk if a row's SHA-256 does not match. */
  async stream(jobId: string, options: DownloadOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return downloadStream(this.#transport, downloadCall(jobId, options), options, checkOf(options));
  }

  /**
   * Downloads the PDF of all rows alone to a path (Node, Deno, Bun) or into a stream, and checks its SHA-256. The job must
   * have been created with `output` `merged` or `both`.
   */
  async downloadMerged(
    jobId: string,
    destination: string | URL | WritableStream<Uint8Array>,
    options: MergedOptions = {},
  ): Promise<Downloaded> {
    const check = this.#mergedCheck(jobId, options);
    return downloadTo(this.#transport, mergedCall(jobId, options), destination, options, check);
  }

  /** The PDF of all rows as a stream that resumes by itself. It fails before its last chunk if its SHA-256 does not match. */
  async streamMerged(jobId: string, options: MergedOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const check = this.#mergedCheck(jobId, options);
    return downloadStream(this.#transport, mergedCall(jobId, options), options, check);
  }

  #mergedCheck(jobId: string, { verify = true, signal }: MergedOptions): FileCheck | undefined {
    return verify
      ? new FileCheck(async () => (await this.manifest(jobId, { signal })).merged?.sha256)
      : undefined;
  }

  /** The manifest as in the ZIP, with camelCase members. */
  async manifest(jobId: string, options: CallOptions = {}): Promise<Manifest> {
    const path = `${pathOf(jobId)}/manifest`;
    const { body } = await this.#transport.send({ surface, method: 'GET', path, ...options });
    return toCamel(body);
  }

  /** The PDF of one row. */
  async rowPdf(
    jobId: string,
    rowNumber: number,
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const call: Call = { surface, method: 'GET', path: `${pathOf(jobId)}/rows/${rowNumber}.pdf`, ...options };
    return downloadStream(this.#transport, call, options, undefined);
  }

  /** A PNG of one page of a row. */
  async rowPng(
    jobId: string,
    rowNumber: number,
    {
      page,
      width,
      ...options
    }: CallOptions & { readonly page?: number | undefined; readonly width?: number | undefined } = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const path = `${pathOf(jobId)}/rows/${rowNumber}.png`;
    const call: Call = { surface, method: 'GET', path, query: { page, width }, ...options };
    return downloadStream(this.#transport, call, options, undefined);
  }

  /** The job that an Idempotency-Key belongs to. */
  async idempotencyKey(key: string, options: CallOptions = {}): Promise<IdempotencyKeyRecord> {
    const path = '/v1/bulkfill/idempotency-keys';
    const { body } = await this.#transport.send({ surface, method: 'GET', path, query: { key }, ...options });
    return toCamel(body);
  }

  async #create(
    path: string,
    content: Pick<Call, 'body' | 'json'>,
    { idempotencyKey = uuid(), requestId, signal, onProgress }: CreateOptions,
    waitSeconds: number,
  ): Promise<ExportJob> {
    const { body } = await this.#transport.send({
      surface,
      method: 'POST',
      path,
      ...content,
      key: idempotencyKey,
      requestId,
      signal,
      onProgress,
      headers: { prefer: `wait=${waitSeconds}` },
      // A job that failed within the wait is a 500 with the job as its body.
      accepts: (_status, received) => typeof (received as { job_id?: unknown }).job_id === 'string',
    });
    return toCamel(body);
  }

  get #syncWaitSeconds(): number {
    return Math.min(MAX_SYNC_WAIT_SECONDS, Math.floor(this.#transport.timeoutMs / 2000));
  }
}

/** The PDF itself is not signed: download the ZIP to check a signature. */
export type MergedOptions = Omit<DownloadOptions, 'signedBy'>;

const isSettled = ({ status }: ExportJob): boolean => status === 'completed' || status === 'failed';
const pathOf = (jobId: string): string => `${JOBS}/${encodeURIComponent(jobId)}`;
const checkOf = ({ verify = true, signedBy }: DownloadOptions) => {
  if (!verify && signedBy !== undefined) throw new TypeError('signedBy needs verify.');
  return verify ? new ArchiveCheck(signedBy) : undefined;
};
const fileCall =
  (file: string) =>
  (jobId: string, { signal }: CallOptions): Call => ({
    surface,
    method: 'GET',
    path: `${pathOf(jobId)}/${file}`,
    signal,
  });
const downloadCall = fileCall('download');
const mergedCall = fileCall('merged.pdf');
