import type { Surface } from './rowpress-error.ts';
import type { Wire } from './wire-types.ts';

interface Events {
  bulkfill: Wire<'ExportJobCompletedEvent' | 'ExportJobFailedEvent'>;
  subscribers: Wire<
    | 'SubscriberCreatedEvent'
    | 'SubscriberUpdatedEvent'
    | 'SubscriberStatusChangedEvent'
    | 'SubscriberDeletedEvent'
    | 'ImportJobCompletedEvent'
    | 'ImportJobFailedEvent'
    | 'SubscriberExportCompletedEvent'
    | 'SubscriberExportFailedEvent'
  >;
  ingest: Wire<
    | 'NormalizationConflictEvent'
    | 'IngestJobCompletedEvent'
    | 'IngestJobFailedEvent'
    | 'CredentialExpiringEvent'
  >;
}

/** The body of a webhook, with camelCase members. */
export type WebhookEvent<Scheme extends Surface> = Events[Scheme];
