import type { PublicDialect } from '#lib/errors/catalogue.ts';

/**
 * Reads of a surface that show personal data, sent items or a secret, and what the audit log calls them. Other reads show
 * states, counts, ids and settings.
 */
const NAMES: Readonly<Record<string, string>> = {
  'bulkfill /export-jobs/:job_id/download': 'artifact.downloaded',
  // Names of files may come from columns.
  'bulkfill /export-jobs/:job_id/manifest': 'manifest.read',
  'subscribers /subscribers': 'subscribers.listed',
  'subscribers /subscribers/:subscriber_id': 'subscriber.read',
  'subscribers /jobs/subscriber-imports/:job_id/failed-rows': 'failed-rows.downloaded',
  // Its answer holds the download link, which needs no session.
  'subscribers /jobs/subscriber-exports/:job_id': 'export.read',
  'subscribers /downloads/:job_id/:token/:file_name': 'artifact.downloaded',
  'ingest /:group/:name/:source_id': 'item.read',
  'ingest /:group/:name/:source_id/history': 'item-history.read',
  'ingest /quarantine': 'quarantine.listed',
  'ingest /quarantine/:id': 'quarantine.read',
  'ingest /webhooks/:id/secret': 'webhook-secret.read',
};

/** Undefined: the read is not audited. A HEAD request shows no data. */
export const readName = (surface: PublicDialect, method: string, route: string): string | undefined =>
  method === 'GET' ? NAMES[`${surface} ${route}`] : undefined;
