// Fills the form fields of permit.pdf for each applicant. Usage: node permits.ts PERMIT.doqlo OUTPUT_FOLDER
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Rowpress } from '@rowpress/client';

const [sealed = '', out = ''] = process.argv.slice(2);
const here = import.meta.dirname;

const { bulkfill } = new Rowpress({
  baseUrl: process.env.ROWPRESS_URL ?? 'http://127.0.0.1:8080',
  apiKey: process.env.BULKFILL_KEY,
});
const input = {
  pdf: join(here, 'permit.pdf'),
  package: sealed,
  csv: join(here, 'applicants.csv'),
  matchColumns: 'label',
  filenameColumns: ['column_0'],
  maxFailedRowPercent: 0,
} as const;

// A dry run draws nothing and costs nothing: it tells which cells do not fit the form.
const trial = await bulkfill.createAndWait({ ...input, dryRun: true });
for await (const row of bulkfill.problemRows(trial.jobId))
  console.log(`row ${row.rowNumber}, ${row.columnLabel}: ${row.message}`);

const job = await bulkfill.createAndWait(input);
if (job.status === 'failed') throw new Error(job.error?.message);
mkdirSync(out, { recursive: true });
await bulkfill.download(job.jobId, join(out, 'permits.zip'));
