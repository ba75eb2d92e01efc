// Makes a certificate for each row of people.csv. Usage: node certificates.ts CERTIFICATE.doqlo OUTPUT_FOLDER
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Rowpress } from '@rowpress/client';

const [sealed = '', out = ''] = process.argv.slice(2);
const here = import.meta.dirname;

const rp = new Rowpress({
  baseUrl: process.env.ROWPRESS_URL ?? 'http://127.0.0.1:8080',
  apiKey: process.env.BULKFILL_KEY,
});
const job = await rp.bulkfill.createAndWait(
  {
    pdf: join(here, 'certificate.pdf'),
    package: sealed,
    csv: join(here, 'people.csv'),
    // The columns of the file may be in any order: they are matched to the labels of the layout.
    matchColumns: 'label',
    filenameColumns: ['column_0'],
    maxFailedRowPercent: 0,
  },
  // The same key again returns the same job, so this program can be run twice.
  { idempotencyKey: 'certificates-2026-10' },
);
if (job.status === 'failed') throw new Error(job.error?.message);

mkdirSync(out, { recursive: true });
await rp.bulkfill.download(job.jobId, join(out, 'certificates.zip'));
for (const { fileName } of (await rp.bulkfill.manifest(job.jobId)).rowResults) console.log(fileName);
