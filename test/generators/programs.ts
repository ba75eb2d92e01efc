/**
 * Programs that use generated clients as their readers would write them. They are compiled next to the generated code, so they are
 * texts here. Each gets an address, two keys and two files, creates a job, reads it, sends an item and prints what it received.
 */
const files = `import { readFileSync } from 'node:fs';
const [url = '', bulkfillKey = '', ingestKey = '', pdf = '', layout = ''] = process.argv.slice(2);
const pdfFile = new File([readFileSync(pdf)], 'letter.pdf');
const layoutFile = new File([readFileSync(layout)], 'letter.doqlo');
const headers = { 'Idempotency-Key': 'generated-PROGRAM', Prefer: 'wait=60' };
const form = { pdf: pdfFile, doqlo_file: layoutFile, max_failed_row_percent: '0', rows_json: '[{"column_0":"Ann"}]' };
const correlated = { 'X-Correlation-Id': crypto.randomUUID() };
const uom = { source_id: 'EA-PROGRAM', name: 'Each' };
`;

export const programs = {
  /** openapi-typescript writes types; openapi-fetch sends requests with them. */
  'openapi-typescript': `import createClient from 'openapi-fetch';
import type { components, paths } from './openapi-typescript.js';
${files.replaceAll('PROGRAM', 'types')}
const bulkfill = createClient<paths>({ baseUrl: url, headers: { Authorization: 'Bearer ' + bulkfillKey } });
const created = await bulkfill.POST('/v1/bulkfill/export-jobs', {
  params: { header: headers },
  // The types describe a file as a string, because they do not know how it is sent.
  body: form as unknown as components['schemas']['CreateExportJobForm'],
  bodySerializer: (body) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(body)) data.append(name, value as string);
    return data;
  },
});
if (created.error !== undefined) throw new Error(JSON.stringify(created.error));
const job: components['schemas']['ExportJob'] = created.data;
const read = await bulkfill.GET('/v1/bulkfill/export-jobs/{job_id}', { params: { path: { job_id: job.job_id } } });
const missing = await bulkfill.GET('/v1/bulkfill/export-jobs/{job_id}', {
  params: { path: { job_id: crypto.randomUUID() } },
});
const code: components['schemas']['BulkFillErrorCode'] | undefined = missing.error?.code;

const ingest = createClient<paths>({ baseUrl: url, headers: { Authorization: 'Bearer ' + ingestKey } });
const sent = await ingest.POST('/wms-ingest/v1/master/uoms', {
  params: { header: correlated },
  body: { items: [uom] },
});
// @ts-expect-error: a SKU needs a name and a base unit.
const wrong: components['schemas']['SkuItem'] = { source_id: 'SKU-1' };
const accepted = sent.data !== undefined && 'summary' in sent.data ? sent.data.summary.accepted : undefined;
console.log(JSON.stringify({ status: read.data?.status, code, accepted, wrong: wrong.source_id }));
`,
  /** @hey-api/openapi-ts writes a function per operation. */
  'hey-api': `import { createClient } from './hey-api/client/index.js';
import { createExportJob, createProject, getExportJob, sendUoms } from './hey-api/sdk.gen.js';
import type { BulkFillErrorCode, ExportJob, SkuItem } from './hey-api/types.gen.js';
${files.replaceAll('PROGRAM', 'sdk')}
const bulkfill = createClient({ baseUrl: url, auth: () => bulkfillKey });
const files = { name: 'Letter', pdf: pdfFile, doqlo_file: layoutFile };
const { data: project } = await createProject({ client: bulkfill, throwOnError: true, headers, body: files });
// Of the two kinds of body, this generator offers the JSON one.
const body = { project: project.project_id, rows: [{ column_0: 'Ann' }], max_failed_row_percent: 0 };
const { data: job } = await createExportJob({ client: bulkfill, throwOnError: true, headers, body });
const settled: ExportJob = job;
const read = await getExportJob({ client: bulkfill, throwOnError: true, path: { job_id: settled.job_id } });
const missing = await getExportJob({ client: bulkfill, path: { job_id: crypto.randomUUID() } });
const code: BulkFillErrorCode | undefined = missing.error?.code;

const ingest = createClient({ baseUrl: url, auth: () => ingestKey });
const sent = await sendUoms({ client: ingest, throwOnError: true, headers: correlated, body: { items: [uom] } });
const accepted = 'summary' in sent.data ? sent.data.summary.accepted : undefined;
// @ts-expect-error: a SKU needs a name and a base unit.
const wrong: SkuItem = { source_id: 'SKU-1' };
console.log(JSON.stringify({ status: read.data.status, code, accepted, wrong: wrong.source_id }));
`,
} as const;

/** As strict as the compiler can be, for the generated code too. */
export const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  outDir: 'out',
};
