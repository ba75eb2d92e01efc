import type { AuditNames } from '#console/acting/audit-names.ts';

export const ingestAudit: AuditNames = {
  writes: {
    'POST /quarantine/:id/release': 'quarantine.released',
    'POST /quarantine/:id/discard': 'quarantine.discarded',
    'POST /quarantine/redrive': 'quarantine.redriven',
  },
  reads: {
    '/:group/:name/:source_id': 'item.read',
    '/:group/:name/:source_id/history': 'item-history.read',
    '/quarantine': 'quarantine.listed',
    '/quarantine/:id': 'quarantine.read',
    '/webhooks/:id/secret': 'webhook-secret.read',
  },
};
