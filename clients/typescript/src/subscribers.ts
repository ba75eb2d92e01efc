import { toCamel, toSnake } from './camel-case.ts';
import { type Downloaded, type DownloadOptions, downloadStream, downloadTo } from './download.ts';
import type { CallOptions, ProgressOptions } from './progress.ts';
import { uuid } from './request-ids.ts';
import { RowpressError } from './rowpress-error.ts';
import { bytesOf, type Opened, openSource, type Source } from './source.ts';
import { CustomFields, ResourceCalls, Tags, WebhookSubscriptions } from './subscriber-resources.ts';
import type { Call, Transport } from './transport.ts';
import { waitForJob } from './wait-for-job.ts';
import type { Wire } from './wire-types.ts';

const IMPORTS = '/v1/jobs/subscriber-imports';
const EXPORTS = '/v1/jobs/subscriber-exports';
const UPLOADS = '/v1/jobs/subscriber-import-uploads';
const PEOPLE = '/v1/subscribers';

export type ImportJob = Wire<'ImportJob'>;
export type ImportSummary = Wire<'ImportJobSummary'>;
export type SubscriberExportJob = Wire<'SubscriberExport'>;
export type SubscriberExportSummary = Wire<'SubscriberExportSummary'>;
export type Upload = Wire<'ImportUpload'>;
export type Subscriber = Wire<'Subscriber'>;
export type NewSubscriber = Wire<'UpsertSubscriber'>;
export type SubscriberChanges = Wire<'UpdateSubscriber'>;
export type Workspace = Wire<'Workspace'>;

type ImportBody = Wire<'CreateImportJob'>;
type WireMapping = Wire<'ImportMapping'>;
/** `field` is `'email'` or `{ type: 'email' }`; a custom field is `{ type: 'custom-field', customFieldId }`. */
export interface ImportMapping {
  readonly csvColumn: string;
  readonly field: WireMapping['field'] | Exclude<WireMapping['field']['type'], 'custom-field'>;
}
/** `csvText`, or a `file` (CSV or XLSX), or the id of an upload; with `mappings: [{ csvColumn, field }]`. */
export type NewImport = Omit<ImportBody, 'csvText' | 'uploadId' | 'mappings'> & {
  readonly mappings: readonly ImportMapping[];
} & (
    | { readonly csvText: string }
    | { readonly file: Source; readonly fileName?: string | undefined }
    | { readonly uploadId: string }
  );
export type NewSubscriberExport = NonNullable<Wire<'CreateSubscriberExport'>>;

export interface KeyedOptions extends ProgressOptions {
  /** Makes two requests the same request; a random UUID by default. */
  readonly idempotencyKey?: string | undefined;
  readonly requestId?: string | undefined;
}

/** A finished export. `text`, `stream` and `download` read its file; the link inside is valid for one hour. */
export interface ExportFile extends SubscriberExportJob {
  text(): Promise<string>;
  stream(): Promise<ReadableStream<Uint8Array>>;
  download(
    destination: string | URL | WritableStream<Uint8Array>,
    options?: DownloadOptions,
  ): Promise<Downloaded>;
}

export interface SubscriberFilter {
  readonly search?: string | undefined;
  readonly email?: string | undefined;
  readonly status?: Subscriber['status'] | undefined;
  readonly coldOnly?: boolean | undefined;
  readonly tagIds?: readonly string[] | undefined;
  readonly tagOperator?: 'has_any_of' | 'has_none_of' | 'has_all_of' | undefined;
}

const surface = 'subscribers' as const;
/**
 * A file up to this size is sent inside the import itself, so that the same file under the same key is the same request even
 * in another process. A larger file is uploaded first.
 */
const INLINE_BYTES = 8 * 1024 * 1024;
const ZIP_MAGIC = [0x50, 0x4b, 0x03, 0x04];

/** Imports and exports subscribers: `/v1`. */
export class Subscribers {
  readonly #transport: Transport;
  readonly #calls: ResourceCalls;
  readonly tags: Tags;
  readonly customFields: CustomFields;
  readonly webhooks: WebhookSubscriptions;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.#calls = new ResourceCalls(transport);
    this.tags = new Tags(this.#calls);
    this.customFields = new CustomFields(this.#calls);
    this.webhooks = new WebhookSubscriptions(this.#calls);
  }

  /** Creates an import and returns it without waiting for its end. */
  async import(input: NewImport, options: KeyedOptions = {}): Promise<ImportJob> {
    const { idempotencyKey = uuid(), requestId, signal } = options;
    const { file, fileName, ...rest } = input as NewImport & { file?: Source; fileName?: string };
    const content = file === undefined ? {} : await this.#place(file, fileName, options);
    const mappings = rest.mappings.map(({ csvColumn, field }) => ({
      csvColumn,
      field: typeof field === 'string' ? { type: field } : field,
    }));
    const json = toSnake({ ...rest, mappings, ...content });
    return this.#calls.data({ method: 'POST', path: IMPORTS, json, key: idempotencyKey, requestId, signal });
  }

  /** Creates an import and waits until it has completed or failed. A failed import is returned, not thrown. */
  async importAndWait(input: NewImport, options: KeyedOptions = {}): Promise<ImportJob> {
    const { id } = await this.import(input, options);
    return this.waitForImport(id, options);
  }

  getImport(jobId: string, options: CallOptions = {}): Promise<ImportJob> {
    return this.#calls.data({ method: 'GET', path: `${IMPORTS}/${encodeURIComponent(jobId)}`, ...options });
  }

  async waitForImport(jobId: string, { signal, onProgress }: ProgressOptions = {}): Promise<ImportJob> {
    const report = ({
      status,
      rowCount,
      createdCount,
      updatedCount,
      unchangedCount,
      failedCount,
    }: ImportJob) =>
      onProgress?.({
        phase: 'job',
        status,
        done: createdCount + updatedCount + unchangedCount + failedCount,
        total: rowCount,
        failed: failedCount,
      });
    return waitForJob({
      transport: this.#transport,
      signal,
      get: () => this.getImport(jobId, { signal }),
      isSettled,
      onState: report,
      events: {
        call: { surface, method: 'GET', path: `${IMPORTS}/${encodeURIComponent(jobId)}/events` },
        onEvent: (name, data) => {
          report(toCamel<ImportJob>(data));
          return name === 'progress' ? 'go on' : 'settled';
        },
      },
    });
  }

  /** All imports, newest first. */
  imports(options: CallOptions = {}): AsyncGenerator<ImportSummary, void, void> {
    return this.#calls.list(IMPORTS, {}, options);
  }

  /** The failed rows of an import as CSV: line, column, value, code, message, then the original row. */
  failedRows(jobId: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const path = `${IMPORTS}/${encodeURIComponent(jobId)}/failed-rows`;
    return downloadStream(
      this.#transport,
      { surface, method: 'GET', path, signal: options.signal },
      options,
      undefined,
    );
  }

  /** Uploads a CSV or XLSX file for a later import, for example to show `proposedMappings` first. */
  async upload(
    file: Source,
    { fileName, signal, onProgress }: ProgressOptions & { readonly fileName?: string | undefined } = {},
  ): Promise<Upload> {
    return this.#upload(await openSource(file), fileName, { signal, onProgress });
  }

  getUpload(uploadId: string, options: CallOptions = {}): Promise<Upload> {
    return this.#calls.data({
      method: 'GET',
      path: `${UPLOADS}/${encodeURIComponent(uploadId)}`,
      ...options,
    });
  }

  /** Creates an export and returns it without waiting for its end. */
  export(input: NewSubscriberExport = {}, options: KeyedOptions = {}): Promise<SubscriberExportJob> {
    const { idempotencyKey = uuid(), requestId, signal } = options;
    return this.#calls.data({
      method: 'POST',
      path: EXPORTS,
      json: toSnake(input),
      key: idempotencyKey,
      requestId,
      signal,
    });
  }

  /** Creates an export and waits until it has completed or failed. A failed export is returned, not thrown. */
  async exportAndWait(input: NewSubscriberExport = {}, options: KeyedOptions = {}): Promise<ExportFile> {
    const { id } = await this.export(input, options);
    return this.waitForExport(id, options);
  }

  getExport(jobId: string, options: CallOptions = {}): Promise<SubscriberExportJob> {
    return this.#calls.data({ method: 'GET', path: `${EXPORTS}/${encodeURIComponent(jobId)}`, ...options });
  }

  async waitForExport(jobId: string, { signal, onProgress }: ProgressOptions = {}): Promise<ExportFile> {
    const job = await waitForJob<SubscriberExportJob>({
      transport: this.#transport,
      signal,
      get: () => this.getExport(jobId, { signal }),
      isSettled,
      onState: ({ status, exportedCount }) =>
        onProgress?.({
          phase: 'job',
          status,
          done: exportedCount ?? undefined,
          total: undefined,
          failed: undefined,
        }),
    });
    return this.#fileOf(job);
  }

  /** All exports, newest first. */
  exports(options: CallOptions = {}): AsyncGenerator<SubscriberExportSummary, void, void> {
    return this.#calls.list(EXPORTS, {}, options);
  }

  /** All subscribers that match the filter, newest first. */
  list(filter: SubscriberFilter = {}, options: CallOptions = {}): AsyncGenerator<Subscriber, void, void> {
    return this.#calls.list(PEOPLE, toSnake(filter) as Record<string, unknown>, options);
  }

  /** Creates a subscriber, or updates the one with this email. */
  upsert(input: NewSubscriber, { idempotencyKey = uuid(), signal }: KeyedOptions = {}): Promise<Subscriber> {
    return this.#calls.data({
      method: 'POST',
      path: PEOPLE,
      json: toSnake(input),
      key: idempotencyKey,
      signal,
    });
  }

  get(subscriberId: string, options: CallOptions = {}): Promise<Subscriber> {
    return this.#calls.data({ method: 'GET', path: personPath(subscriberId), ...options });
  }

  update(subscriberId: string, changes: SubscriberChanges, options: CallOptions = {}): Promise<Subscriber> {
    return this.#calls.data({
      method: 'PATCH',
      path: personPath(subscriberId),
      json: toSnake(changes),
      ...options,
    });
  }

  delete(subscriberId: string, options: CallOptions = {}): Promise<void> {
    return this.#calls.remove(personPath(subscriberId), options);
  }

  setStatus(
    subscriberId: string,
    status: Subscriber['status'],
    options: CallOptions = {},
  ): Promise<Subscriber> {
    return this.#calls.data({
      method: 'PUT',
      path: `${personPath(subscriberId)}/status`,
      json: { status },
      ...options,
    });
  }

  addTag(subscriberId: string, tagId: string, options: CallOptions = {}): Promise<Subscriber> {
    return this.#calls.data({ method: 'PUT', path: tagPath(subscriberId, tagId), ...options });
  }

  removeTag(subscriberId: string, tagId: string, options: CallOptions = {}): Promise<Subscriber> {
    return this.#calls.data({ method: 'DELETE', path: tagPath(subscriberId, tagId), ...options });
  }

  workspace(options: CallOptions = {}): Promise<Workspace> {
    return this.#calls.data({ method: 'GET', path: '/v1/workspace', ...options });
  }

  /** What this key can do. */
  capabilities(options: CallOptions = {}): Promise<Wire<'ApiCapabilities'>> {
    return this.#calls.data({ method: 'GET', path: '/v1/capabilities', ...options });
  }

  /** Decides how a file reaches its import: inside it, or as an upload. */
  async #place(file: Source, fileName: string | undefined, options: ProgressOptions): Promise<object> {
    const source = await openSource(file);
    if (source.size !== undefined && source.size <= INLINE_BYTES) {
      const bytes = await bytesOf(source);
      const csvText = textOf(bytes);
      if (csvText !== undefined) return { csvText };
    }
    const { id } = await this.#upload(source, fileName ?? nameOf(file), options);
    return { uploadId: id };
  }

  async #upload(
    source: Opened,
    fileName: string | undefined,
    { signal, onProgress }: ProgressOptions,
  ): Promise<Upload> {
    const json = fileName === undefined ? {} : { file_name: fileName };
    const { uploadUrl } = await this.#calls.data<Upload>({ method: 'POST', path: UPLOADS, json, signal });
    if (typeof uploadUrl !== 'string') throw new TypeError('The server returned no link for the upload.');
    return this.#calls.data({
      method: 'PUT',
      path: uploadUrl,
      withoutKey: true,
      body: { type: 'application/octet-stream', source },
      signal,
      onProgress,
    });
  }

  #fileOf(job: SubscriberExportJob): ExportFile {
    const call = (signal: AbortSignal | undefined): Call => {
      if (job.downloadUrl === null)
        throw new RowpressError(job.errorMessage ?? 'The export has no file to download.', {
          code: 'EXPORT_HAS_NO_FILE',
          status: 0,
          retry: 'no',
        });
      return { surface, method: 'GET', path: job.downloadUrl, withoutKey: true, signal };
    };
    const methods: Pick<ExportFile, 'text' | 'stream' | 'download'> = {
      stream: async () => downloadStream(this.#transport, call(undefined), {}, undefined),
      text: async () => new Response(await methods.stream()).text(),
      download: async (destination, options = {}) =>
        downloadTo(this.#transport, call(options.signal), destination, options, undefined),
    };
    // The job stays plain data for JSON.stringify and comparisons.
    const hidden = Object.entries(methods).map(([name, value]) => [name, { value, enumerable: false }]);
    return Object.defineProperties({ ...job }, Object.fromEntries(hidden)) as ExportFile;
  }
}

const isSettled = ({ status }: { readonly status: string }): boolean =>
  status === 'Completed' || status === 'Failed';
const personPath = (id: string): string => `${PEOPLE}/${encodeURIComponent(id)}`;
const tagPath = (id: string, tagId: string): string => `${personPath(id)}/tags/${encodeURIComponent(tagId)}`;

/** The text of a CSV; undefined for a workbook and for other encodings, which the server recognises in an upload. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0 || ZIP_MAGIC.every((byte, at) => bytes[at] === byte)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function nameOf(file: Source): string | undefined {
  if (typeof file === 'string') return file.split(/[\\/]/).pop();
  return file instanceof Blob && 'name' in file ? String(file.name) : undefined;
}
