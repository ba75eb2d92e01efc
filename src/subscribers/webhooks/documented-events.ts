import { z } from 'zod';
import type { WebhookEvent } from '#http/openapi/webhook-event.ts';
import { exampleOf } from '#http/openapi/zod-schemas.ts';
import { self, timestamp } from '../contract.ts';
import { exportSummary } from '../export/contract.ts';
import { importSummary } from '../import/contract.ts';
import { status } from '../people/contract.ts';
import type { EventType } from './event-types.ts';

const event = (
  id: string,
  type: EventType,
  summary: string,
  data: z.ZodType,
  example: object,
): WebhookEvent => ({
  tag: 'Webhooks',
  summary,
  body: z
    .object({
      id: z.string().describe('The same on every attempt'),
      type: z.literal(type),
      timestamp,
      data,
    })
    .meta({
      id,
      examples: [{ id: 'evt_0190a3c6', type, timestamp: '2026-11-17T09:15:02.000Z', data: example }],
    }),
});
const PERSON = '0190a3c4-0000-7000-8000-00000000005a';
const person = z
  .object({ subscriber: z.object({ id: z.string(), status: status.optional(), self }) })
  .meta({ id: 'ChangedSubscriber', description: 'Only ids: read the rest from the address in `self`' });
const personExample = { subscriber: { id: PERSON, status: 'Active', self: `/v1/subscribers/${PERSON}` } };
const error_message = z.string().nullable();
const importEnd = importSummary.extend({ error_message }).meta({ id: 'EndedImport' });
const exportEnd = exportSummary.extend({ error_message }).meta({ id: 'EndedExport' });
const ended = (summary: z.ZodType, more: object) => ({ ...(exampleOf(summary) as object), ...more });
const completed = { error_message: null };
const failed = { status: 'Failed', error_message: 'The job failed.' };

/** The events of this surface, for the OpenAPI document. */
export const subscribersWebhooks: Readonly<Record<EventType, WebhookEvent>> = {
  'subscriber.created': event(
    'SubscriberCreatedEvent',
    'subscriber.created',
    'A person was added',
    person,
    personExample,
  ),
  'subscriber.updated': event(
    'SubscriberUpdatedEvent',
    'subscriber.updated',
    'A person was changed',
    person,
    personExample,
  ),
  'subscriber.status_changed': event(
    'SubscriberStatusChangedEvent',
    'subscriber.status_changed',
    'The status of a person changed',
    person,
    personExample,
  ),
  'subscriber.deleted': event(
    'SubscriberDeletedEvent',
    'subscriber.deleted',
    'A person was deleted',
    person,
    { subscriber: { id: PERSON, self: `/v1/subscribers/${PERSON}` } },
  ),
  'import_job.completed': event(
    'ImportJobCompletedEvent',
    'import_job.completed',
    'An import completed',
    importEnd,
    ended(importSummary, completed),
  ),
  'import_job.failed': event(
    'ImportJobFailedEvent',
    'import_job.failed',
    'An import failed',
    importEnd,
    ended(importSummary, failed),
  ),
  'export_job.completed': event(
    'SubscriberExportCompletedEvent',
    'export_job.completed',
    'An export completed',
    exportEnd,
    ended(exportSummary, completed),
  ),
  'export_job.failed': event(
    'SubscriberExportFailedEvent',
    'export_job.failed',
    'An export failed',
    exportEnd,
    ended(exportSummary, failed),
  ),
};
