import type { SurfaceNeeds } from '#console/access/declared-needs.ts';

/** What people need for each route. `create/create-export.ts` also needs `design` for files that are not a project. */
export const bulkfillNeeds: SurfaceNeeds = {
  'view-runs': [
    'GET /sheets',
    'GET /export-jobs',
    'GET /export-jobs/:job_id',
    'GET /export-jobs/:job_id/download',
    'GET /export-jobs/:job_id/merged.pdf',
    'GET /export-jobs/:job_id/manifest',
    'GET /export-jobs/:job_id/problem-rows',
    'GET /export-jobs/:job_id/rows/:row.pdf',
    'GET /export-jobs/:job_id/rows/:row.png',
    'GET /export-jobs/:job_id/events',
    'GET /idempotency-keys',
    'GET /projects',
    'GET /projects/:project_id',
    'GET /projects/:project_id/versions',
    'GET /projects/:project_id/history',
    'GET /projects/:project_id/pdf',
    'GET /projects/:project_id/package',
    'GET /projects/:project_id/row-schema',
    'GET /projects/:project_id/sample.csv',
    'GET /projects/:project_id/page.png',
  ],
  run: ['POST /export-jobs', 'POST /export-jobs/:job_id/retry', 'DELETE /export-jobs/:job_id'],
  design: [
    'POST /projects',
    'PUT /projects/:project_id',
    'DELETE /projects/:project_id',
    'POST /projects/:project_id/duplicate',
    'POST /projects/:project_id/bin',
    'GET /deleted-projects',
    'POST /projects/:project_id/restore',
    'POST /projects/:project_id/versions/:version/restore',
  ],
};
