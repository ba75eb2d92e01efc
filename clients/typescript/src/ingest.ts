import { toCamel } from './camel-case.ts';
import { IngestCertificates, IngestWebhooks, Quarantine } from './ingest-resources.ts';
import { type Items, itemsBody } from './item-stream.ts';
import { listAll } from './pages.ts';
import type { CallOptions, ProgressOptions } from './progress.ts';
import { uuid } from './request-ids.ts';
import type { Call, Transport } from './transport.ts';
import { waitForJob } from './wait-for-job.ts';
import type { Wire } from './wire-types.ts';

/** `master/skus`, `documents/purchase-orders`, `inventory/movements`, … */
export type Collection = `${'master' | 'documents' | 'inventory'}/${string}`;
export type Written = Wire<'WrittenItems'>;
export type AcceptedLoad = Wire<'AcceptedLoad'>;
export type IngestJob = Wire<'IngestJob'>;
export type ItemResult = Wire<'ItemResult'>;
export type StoredItem = Wire<'StoredItem'>;
export type ItemChange = Wire<'ItemChange'>;
export type ItemMapping = Wire<'ItemMapping'>;
export type IngestRequest = Wire<'IngestRequest'>;
export type IngestCapabilities = Wire<'IngestCapabilities'>;

/** An item with its own member names, such as `source_id` and `base_uom`. They are sent unchanged. */
export type Item = object;

export interface ReadOptions extends CallOptions {
  /** The warehouse that the request is for. */
  readonly warehouseId?: string | undefined;
}

export interface WriteOptions extends ReadOptions {
  /** Identifies the request: a UUID of version 4 or 7, or a ULID. A random UUID by default. */
  readonly correlationId?: string | undefined;
}

export interface LoadOptions extends WriteOptions, ProgressOptions {
  /** Media type of a body given as bytes or as a file; NDJSON by default. */
  readonly contentType?: string | undefined;
}

export interface RefreshOptions extends LoadOptions {
  /** Allows a refresh without items, which makes every item of the collection inactive. */
  readonly confirmEmpty?: boolean | undefined;
}

const BASE = '/wms-ingest/v1';
const surface = 'ingest' as const;

/** Receives master data, documents and inventory: `/wms-ingest/v1`. */
export class Ingest {
  readonly #transport: Transport;
  readonly quarantine: Quarantine;
  readonly webhooks: IngestWebhooks;
  readonly certificates: IngestCertificates;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.quarantine = new Quarantine(transport);
    this.webhooks = new IngestWebhooks(transport);
    this.certificates = new IngestCertificates(transport);
  }

  /**
   * Sends items and returns the result of each, in order. If there are so many that the server makes a bulk load of them,
   * waits for it.
   */
  async upsert(
    collection: Collection,
    items: readonly Item[],
    options: WriteOptions & { readonly validateOnly?: boolean | undefined } & ProgressOptions = {},
  ): Promise<Written> {
    const { validateOnly } = options;
    const query = { mode: 'upsert', validate_only: validateOnly };
    const answer = await this.#write(collection, query, { json: { items } }, options);
    return 'jobId' in answer ? this.#collect(answer.jobId, options) : answer;
  }

  /** Sends items as a bulk load and returns the accepted job without waiting for its end. */
  async bulk(collection: Collection, items: Items, options: LoadOptions = {}): Promise<AcceptedLoad> {
    const content = { body: await itemsBody(items, options.contentType) };
    return (await this.#write(collection, { mode: 'bulk' }, content, options)) as AcceptedLoad;
  }

  /** Sends items as a bulk load and waits until it has completed or failed. A failed load is returned, not thrown. */
  async bulkAndWait(collection: Collection, items: Items, options: LoadOptions = {}): Promise<IngestJob> {
    const { jobId } = await this.bulk(collection, items, options);
    return this.wait(jobId, options);
  }

  /** Replaces a collection: items that are missing from `items` become inactive. Returns the results and their counts. */
  async refreshAndWait(
    collection: Collection,
    items: Items,
    options: RefreshOptions = {},
  ): Promise<Written | IngestJob> {
    const query = { mode: 'full-refresh', confirm: options.confirmEmpty === true ? 'empty' : undefined };
    const content = { body: await itemsBody(items, options.contentType) };
    const answer = await this.#write(collection, query, content, options);
    return 'jobId' in answer ? this.wait(answer.jobId, options) : answer;
  }

  async get(jobId: string, options: ReadOptions = {}): Promise<IngestJob> {
    return this.#read(`/jobs/${encodeURIComponent(jobId)}`, options);
  }

  /** Waits until a bulk load has completed or failed. */
  async wait(
    jobId: string,
    { onProgress, ...options }: ReadOptions & ProgressOptions = {},
  ): Promise<IngestJob> {
    return waitForJob({
      transport: this.#transport,
      signal: options.signal,
      get: () => this.get(jobId, options),
      isSettled: ({ status }) => status === 'COMPLETED' || status === 'FAILED',
      onState: ({ status, progress, summary }) =>
        onProgress?.({
          phase: 'job',
          status,
          done: progress.processed,
          total: progress.total ?? undefined,
          failed: summary.rejected,
        }),
    });
  }

  /** The result of every item of a bulk load, in order. */
  results(jobId: string, options: ReadOptions = {}): AsyncGenerator<ItemResult, void, void> {
    return this.#list(`/jobs/${encodeURIComponent(jobId)}/results`, options);
  }

  /** The current state of an item. Its own members are in `item`, unchanged. */
  item(collection: Collection, sourceId: string, options: ReadOptions = {}): Promise<StoredItem> {
    return this.#read(`/${collection}/${encodeURIComponent(sourceId)}`, options);
  }

  /** The changes of an item, newest first. */
  history(
    collection: Collection,
    sourceId: string,
    options: ReadOptions = {},
  ): AsyncGenerator<ItemChange, void, void> {
    return this.#list(`/${collection}/${encodeURIComponent(sourceId)}/history`, options);
  }

  mapping(collection: Collection, sourceId: string, options: ReadOptions = {}): Promise<ItemMapping> {
    return this.#read(`/mappings/${collection}/${encodeURIComponent(sourceId)}`, options);
  }

  mappingByInternalId(internalId: string, options: ReadOptions = {}): Promise<ItemMapping> {
    return this.#read(`/mappings/by-internal-id/${encodeURIComponent(internalId)}`, options);
  }

  /** What a correlation id refers to: the kept response or the job. */
  request(correlationId: string, options: ReadOptions = {}): Promise<IngestRequest> {
    return this.#read(`/requests/${encodeURIComponent(correlationId)}`, options);
  }

  capabilities(options: ReadOptions = {}): Promise<IngestCapabilities> {
    return this.#read('/capabilities', options);
  }

  async #write(
    collection: Collection,
    query: Call['query'],
    content: Pick<Call, 'json' | 'body'>,
    { correlationId = uuid(), warehouseId, signal, onProgress }: WriteOptions & ProgressOptions,
  ): Promise<Written | AcceptedLoad> {
    const { body } = await this.#transport.send({
      surface,
      method: 'POST',
      path: `${BASE}/${collection}`,
      query,
      ...content,
      key: correlationId,
      signal,
      onProgress,
      headers: { 'x-warehouse-id': warehouseId },
    });
    return toCamel(body);
  }

  async #collect(jobId: string, options: WriteOptions & ProgressOptions): Promise<Written> {
    const { summary } = await this.wait(jobId, options);
    const results: ItemResult[] = [];
    for await (const result of this.results(jobId, options)) results.push(result);
    return { results, summary };
  }

  async #read<T>(path: string, { warehouseId, signal }: ReadOptions): Promise<T> {
    const headers = { 'x-warehouse-id': warehouseId };
    const { body } = await this.#transport.send({
      surface,
      method: 'GET',
      path: BASE + path,
      headers,
      signal,
    });
    return toCamel(body);
  }

  #list<T>(path: string, { warehouseId, signal }: ReadOptions): AsyncGenerator<T, void, void> {
    const headers = { 'x-warehouse-id': warehouseId };
    return listAll(this.#transport, { surface, path: BASE + path, query: { limit: 1000 }, headers, signal });
  }
}
