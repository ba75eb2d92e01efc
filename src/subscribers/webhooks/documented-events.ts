import { z } from 'zod';
import { webhookEvent } from '#http/openapi/webhook-event.ts';
import { self, timestamp } from '../contract.ts';
import { exportSummary } from '../export/contract.ts';
import { importSummary } from '../import/contract.ts';
import { status } from '../people/contract.ts';
import type { EventType } from './event-types.ts';

const event = (type: EventType, summary: string, data: z.ZodType) =>
  webhookEvent(
    'Webhooks',
    summary,
    z.object({
      id: z.string().describe('The same on every attempt'),
      type: z.literal(type),
      timestamp,
      data,
    }),
  );
const person = z.object({ subscriber: z.object({ id: z.string(), status: status.optional(), self }) });
const error_message = z.string().nullable();
const importEnd = importSummary.extend({ error_message });
const exportEnd = exportSummary.extend({ error_message });

/** The events of this surface, for the OpenAPI document. */
export const subscribersWebhooks: Readonly<Record<EventType, object>> = {
  'subscriber.created': event('subscriber.created', 'A person was added', person),
  'subscriber.updated': event('subscriber.updated', 'A person was changed', person),
  'subscriber.status_changed': event('subscriber.status_changed', 'The status of a person changed', person),
  'subscriber.deleted': event('subscriber.deleted', 'A person was deleted', person),
  'import_job.completed': event('import_job.completed', 'An import completed', importEnd),
  'import_job.failed': event('import_job.failed', 'An import failed', importEnd),
  'export_job.completed': event('export_job.completed', 'An export completed', exportEnd),
  'export_job.failed': event('export_job.failed', 'An export failed', exportEnd),
};
