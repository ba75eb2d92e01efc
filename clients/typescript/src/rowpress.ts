import { Bulkfill } from './bulkfill.ts';
import { Ingest } from './ingest.ts';
import { Subscribers } from './subscribers.ts';
import { type RowpressOptions, Transport } from './transport.ts';

export type * from './bulkfill.ts';
export type { Downloaded, DownloadOptions } from './download.ts';
export type * from './ingest.ts';
export type * from './ingest-resources.ts';
export type { Items } from './item-stream.ts';
export type { CallOptions, OnProgress, Progress, ProgressOptions } from './progress.ts';
export type {
  IfVersionOptions,
  NewProject,
  Project,
  ProjectParts,
  VersionOptions,
} from './projects.ts';
export { type Retry, RowpressError, type Surface } from './rowpress-error.ts';
export type { ByteStream, Source } from './source.ts';
export type * from './subscriber-resources.ts';
export type * from './subscribers.ts';
export type { RowpressOptions } from './transport.ts';
export { verifyWebhook, type WebhookToVerify } from './verify-webhook.ts';
export type { WebhookEvent } from './webhook-events.ts';

/** A client of one Rowpress server with one API key. */
export class Rowpress {
  readonly bulkfill: Bulkfill;
  readonly subscribers: Subscribers;
  readonly ingest: Ingest;

  constructor(options: RowpressOptions) {
    const transport = new Transport(options);
    this.bulkfill = new Bulkfill(transport);
    this.subscribers = new Subscribers(transport);
    this.ingest = new Ingest(transport);
  }
}
