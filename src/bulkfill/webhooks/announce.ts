import type { Announcement, SettledJob } from '#engine/job-kind.ts';
import type { ExportInput } from '../export-input.ts';
import { downloadPath } from '../views.ts';
import { bulkfillScheme } from '../webhook-scheme.ts';

/** The terminal event of a webhook-mode job. Its request id is that of the create that made the job. */
export async function announceExport({
  job,
  input,
  eventId,
  delivery,
}: SettledJob<ExportInput>): Promise<Announcement | undefined> {
  if (input.delivery.mode !== 'webhook') return undefined;
  const common = {
    event: `bulkfill.export_job.${job.state}`,
    event_id: eventId,
    occurred_at: job.settled_at?.toISOString(),
    job_id: job.id,
    status: job.state,
    idempotency_key: job.request_key,
    request_id: job.request_id,
    reused_result: job.reused_from !== null,
  };
  const outcome =
    job.state === 'completed'
      ? {
          delivery_id: delivery?.id,
          download_url: downloadPath(job.id),
          download_expires_at: delivery?.expiresAt.toISOString(),
        }
      : {
          error_code: job.error_code,
          error_message: job.error_message,
          ...(job.error_details !== null && { error_details: job.error_details }),
        };
  const target = {
    url: input.delivery.url,
    scheme: bulkfillScheme.name,
    secrets: Buffer.from(input.delivery.secrets, 'base64'),
  };
  return { surface: 'bulkfill', type: common.event, body: { ...common, ...outcome }, targets: [target] };
}
