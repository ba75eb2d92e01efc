import type { AuditNames } from '#console/acting/audit-names.ts';

export const subscribersAudit: AuditNames = {
  writes: {
    'POST /jobs/subscriber-imports': 'import.created',
    'POST /jobs/subscriber-exports': 'export.created',
  },
  reads: {
    '/subscribers': 'subscribers.listed',
    '/subscribers/:subscriber_id': 'subscriber.read',
    '/jobs/subscriber-imports/:job_id/failed-rows': 'failed-rows.downloaded',
    // Its response contains the download link, which requires no session.
    '/jobs/subscriber-exports/:job_id': 'export.read',
    '/downloads/:job_id/:token/:file_name': 'artifact.downloaded',
  },
};
