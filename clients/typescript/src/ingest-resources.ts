import { toCamel, toSnake } from './camel-case.ts';
import type { ReadOptions, WriteOptions } from './ingest.ts';
import { listAll } from './pages.ts';
import { uuid } from './request-ids.ts';
import type { Call, Transport } from './transport.ts';
import type { Wire } from './wire-types.ts';

export type QuarantineRecord = Wire<'QuarantineRecord'>;
export type Redriven = Wire<'RedrivenItems'>;
export type IngestWebhook = Wire<'IngestWebhook'>;
export type IngestWebhookSecret = Wire<'IngestWebhookSecret'>;
export type IngestCertificate = Wire<'ClientCertificate'>;

const BASE = '/wms-ingest/v1';
const surface = 'ingest' as const;

class IngestCalls {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }
  async read<T>(path: string, { warehouseId, signal }: ReadOptions): Promise<T> {
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
  list<T>(
    path: string,
    query: Record<string, unknown>,
    { warehouseId, signal }: ReadOptions,
  ): AsyncGenerator<T, void, void> {
    const headers = { 'x-warehouse-id': warehouseId };
    return listAll(this.#transport, { surface, path: BASE + path, query, headers, signal });
  }
  async write<T>(
    path: string,
    { correlationId = uuid(), warehouseId, signal }: WriteOptions,
    more: Pick<Call, 'json' | 'query' | 'final'> = {},
  ): Promise<T> {
    const headers = { 'x-warehouse-id': warehouseId };
    const call: Call = {
      surface,
      method: 'POST',
      path: BASE + path,
      key: correlationId,
      headers,
      signal,
      ...more,
    };
    const { body } = await this.#transport.send(call);
    return toCamel(body);
  }
}

/** The state of a record does not change back, so a conflict is final. */
const final = ['state-conflict'];

/** Items that wait for a missing reference. */
export class Quarantine {
  readonly #calls: IngestCalls;
  constructor(transport: Transport) {
    this.#calls = new IngestCalls(transport);
  }
  /** Records, newest first. */
  list({
    collection,
    status,
    ...options
  }: ReadOptions & {
    readonly collection?: string | undefined;
    readonly status?: QuarantineRecord['status'] | undefined;
  } = {}): AsyncGenerator<QuarantineRecord, void, void> {
    return this.#calls.list('/quarantine', { collection, status, limit: 1000 }, options);
  }
  get(quarantineId: string, options: ReadOptions = {}): Promise<QuarantineRecord> {
    return this.#calls.read(`/quarantine/${encodeURIComponent(quarantineId)}`, options);
  }
  /** Accepts the item although it failed a rule. */
  release(quarantineId: string, options: WriteOptions = {}): Promise<QuarantineRecord> {
    return this.#calls.write(`/quarantine/${encodeURIComponent(quarantineId)}/release`, options, { final });
  }
  discard(quarantineId: string, options: WriteOptions = {}): Promise<QuarantineRecord> {
    return this.#calls.write(`/quarantine/${encodeURIComponent(quarantineId)}/discard`, options, { final });
  }
  /** Evaluates again every open record whose references now exist. */
  redrive({
    collection,
    ...options
  }: WriteOptions & { readonly collection?: string | undefined } = {}): Promise<Redriven> {
    return this.#calls.write('/quarantine/redrive', options, { query: { collection } });
  }
}

/** Receivers of Ingest events. */
export class IngestWebhooks {
  readonly #calls: IngestCalls;
  constructor(transport: Transport) {
    this.#calls = new IngestCalls(transport);
  }
  list(options: ReadOptions = {}): AsyncGenerator<IngestWebhook, void, void> {
    return this.#calls.list('/webhooks', {}, options);
  }
  create(input: Wire<'CreateIngestWebhook'>, options: WriteOptions = {}): Promise<IngestWebhook> {
    return this.#calls.write('/webhooks', options, { json: toSnake(input), final });
  }
  /** The secret that signs the deliveries; a kept response never contains it. */
  secret(webhookId: string, options: ReadOptions = {}): Promise<IngestWebhookSecret> {
    return this.#calls.read(`/webhooks/${encodeURIComponent(webhookId)}/secret`, options);
  }
  rotateSecret(webhookId: string, options: WriteOptions = {}): Promise<IngestWebhook> {
    return this.#calls.write(`/webhooks/${encodeURIComponent(webhookId)}/rotate-secret`, options);
  }
  remove(webhookId: string, options: WriteOptions = {}): Promise<IngestWebhook> {
    return this.#calls.write(`/webhooks/${encodeURIComponent(webhookId)}/remove`, options);
  }
}

/** Client certificates of the partner. */
export class IngestCertificates {
  readonly #calls: IngestCalls;
  constructor(transport: Transport) {
    this.#calls = new IngestCalls(transport);
  }
  list(options: ReadOptions = {}): AsyncGenerator<IngestCertificate, void, void> {
    return this.#calls.list('/certificates', {}, options);
  }
  register(input: Wire<'RegisterCertificate'>, options: WriteOptions = {}): Promise<IngestCertificate> {
    return this.#calls.write('/certificates', options, { json: toSnake(input) });
  }
  revoke(thumbprint: string, options: WriteOptions = {}): Promise<IngestCertificate> {
    return this.#calls.write(`/certificates/${encodeURIComponent(thumbprint)}/revoke`, options);
  }
}
