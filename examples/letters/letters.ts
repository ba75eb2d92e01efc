// Imports subscribers and makes a letter for each active one. Usage: node letters.ts LETTER.doqlo OUTPUT_FOLDER
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Rowpress } from '@rowpress/client';

const [sealed = '', out = ''] = process.argv.slice(2);
const here = import.meta.dirname;
const baseUrl = process.env.ROWPRESS_URL ?? 'http://127.0.0.1:8080';

const { subscribers } = new Rowpress({ baseUrl, apiKey: process.env.SUBSCRIBERS_KEY });
const imported = await subscribers.importAndWait({
  file: join(here, 'subscribers.csv'),
  mappings: [
    { csvColumn: 'Email', field: { type: 'email' } },
    { csvColumn: 'Name', field: { type: 'name' } },
  ],
});
console.log(`${imported.importedCount} imported, ${imported.failedCount} failed`);
if (imported.failedCount > 0)
  console.log(await new Response(await subscribers.failedRows(imported.id)).text());

// The rows stay on the server: the key must be allowed to read them (keys create --read subscribers).
const { bulkfill } = new Rowpress({ baseUrl, apiKey: process.env.BULKFILL_KEY });
const job = await bulkfill.createAndWait({
  pdf: join(here, 'letter.pdf'),
  package: sealed,
  rowsFrom: 'subscribers:status=Active',
  filenameColumns: ['column_1'],
  maxFailedRowPercent: 0,
});
if (job.status === 'failed') throw new Error(job.error?.message);
mkdirSync(out, { recursive: true });
const { verifiedRows } = await bulkfill.download(job.jobId, join(out, 'letters.zip'));
console.log(`${verifiedRows} letters`);
