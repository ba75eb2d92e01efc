import type { PublicDialect } from '#lib/errors/catalogue.ts';

/** What the audit list calls a write of a surface; the others are known by surface and path. */
const NAMES: Readonly<Record<string, string>> = {
  'bulkfill POST /export-jobs': 'job.created',
  'bulkfill POST /export-jobs/:job_id/retry': 'job.retried',
  'bulkfill DELETE /export-jobs/:job_id': 'job.cancelled',
  'ingest POST /quarantine/:id/release': 'quarantine.released',
  'ingest POST /quarantine/:id/discard': 'quarantine.discarded',
  'ingest POST /quarantine/redrive': 'quarantine.redriven',
  'subscribers POST /jobs/subscriber-imports': 'import.created',
  'subscribers POST /jobs/subscriber-exports': 'export.created',
};

export function actionName(surface: PublicDialect, method: string, route: string): string {
  return NAMES[`${surface} ${method} ${route}`] ?? `${surface}.${method.toLowerCase()}`;
}
