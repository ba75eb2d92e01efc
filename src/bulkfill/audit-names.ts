import type { AuditNames } from '#console/acting/audit-names.ts';

export const bulkfillAudit: AuditNames = {
  writes: {
    'POST /export-jobs': 'job.created',
    'POST /export-jobs/:job_id/retry': 'job.retried',
    'DELETE /export-jobs/:job_id': 'job.cancelled',
  },
  reads: {
    '/export-jobs/:job_id/download': 'artifact.downloaded',
    // File names may contain values of columns.
    '/export-jobs/:job_id/manifest': 'manifest.read',
  },
};
