import type { SurfaceNeeds } from '#console/access/declared-needs.ts';

/** The collections, as their `registry.ts` names them. It is not imported here, because commands read this file. */
const COLLECTIONS = [
  'master/uoms',
  'master/addresses',
  'master/skus',
  'master/boms',
  'master/locations',
  'master/lots',
  'master/serials',
  'documents/purchase-orders',
  'documents/sales-orders',
  'documents/receivers',
  'documents/shippers',
  'documents/work-orders',
  'documents/transfer-orders',
  'inventory/snapshot',
  'inventory/movements',
];

/** What people need for each route. */
export const ingestNeeds: SurfaceNeeds = {
  'view-data': [
    'GET /capabilities',
    'GET /:group/:name/:source_id',
    'GET /:group/:name/:source_id/history',
    'GET /mappings/:group/:name/:source_id',
    'GET /mappings/by-internal-id/:id',
    'GET /jobs/:id',
    'GET /jobs/:id/results',
    'GET /requests/:id',
    'GET /certificates',
    'GET /quarantine',
    'GET /quarantine/:id',
    'GET /webhooks',
  ],
  design: [
    ...COLLECTIONS.map((path) => `POST /${path}`),
    'POST /:group/:name',
    'POST /quarantine/:id/release',
    'POST /quarantine/:id/discard',
    'POST /quarantine/redrive',
    'POST /webhooks',
    'POST /webhooks/:id/rotate-secret',
    'POST /webhooks/:id/remove',
    // Shows a secret, so it is not a plain read.
    'GET /webhooks/:id/secret',
  ],
  manage: ['POST /certificates', 'POST /certificates/:id/revoke'],
};
