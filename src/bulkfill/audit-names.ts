import type { AuditNames } from '#console/acting/audit-names.ts';

export const bulkfillAudit: AuditNames = {
  writes: {
    'POST /export-jobs': 'job.created',
    'POST /export-jobs/:job_id/retry': 'job.retried',
    'DELETE /export-jobs/:job_id': 'job.cancelled',
    'POST /projects': 'project.created',
    'PUT /projects/:project_id': 'project.saved',
    'DELETE /projects/:project_id': 'project.deleted',
    'POST /projects/:project_id/duplicate': 'project.duplicated',
    'POST /projects/:project_id/bin': 'project.deleted',
    'POST /projects/:project_id/restore': 'project.restored',
    'POST /projects/:project_id/versions/:version/restore': 'project.saved',
    // Unsaved work of the operator alone, written every few seconds.
    'PUT /projects/:project_id/draft': null,
    'DELETE /projects/:project_id/draft': null,
    'POST /projects/:project_id/presence': null,
    'DELETE /projects/:project_id/presence/:tab': null,
  },
  reads: {
    '/export-jobs/:job_id/download': 'artifact.downloaded',
    // File names may contain values of columns.
    '/export-jobs/:job_id/manifest': 'manifest.read',
    '/projects/:project_id/pdf': 'project.downloaded',
    '/projects/:project_id/package': 'project.downloaded',
  },
};
