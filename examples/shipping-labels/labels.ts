// Pushes shipments of an ERP system to Ingest and prints a label for each. Usage: node labels.ts LABEL.doqlo OUTPUT_FOLDER
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Rowpress } from '@rowpress/client';

const [sealed = '', out = ''] = process.argv.slice(2);
const here = import.meta.dirname;
const baseUrl = process.env.ROWPRESS_URL ?? 'http://127.0.0.1:8080';
const { ingest } = new Rowpress({ baseUrl, apiKey: process.env.INGEST_KEY });
const { bulkfill } = new Rowpress({ baseUrl, apiKey: process.env.BULKFILL_KEY });

const COUNTRIES: Record<string, string> = { DE: 'Germany', FR: 'France', IT: 'Italy' };
interface Address {
  name: string;
  lines: string[];
  postal_code: string;
  city: string;
  country: string;
}
interface Shipper {
  parties: { address_source_id: string }[];
  lines: { quantity: number; sku_source_id: string }[];
  attributes: { order: string };
}
type Collection = Parameters<typeof ingest.upsert>[0];

/** Sends items and returns the ids that are stored. One bad item affects no other. */
async function push(collection: Collection, items: Record<string, unknown>[]): Promise<string[]> {
  const { results } = await ingest.upsert(collection, items);
  for (const { status, sourceId, reason } of results)
    if (reason !== undefined) console.log(status.toLowerCase(), sourceId, reason);
  return results
    .filter(({ status }) => status === 'ACCEPTED' || status === 'REPLAY')
    .map(({ sourceId }) => sourceId ?? '');
}

const erp = JSON.parse(readFileSync(join(here, 'erp.json'), 'utf8'));
await push('master/uoms', erp.uoms);
await push('master/addresses', erp.addresses);
await push('master/skus', erp.skus);
// The shipment to an unknown address is kept in quarantine until the address arrives.
const shippers = await push('documents/shippers', erp.shippers);

/** An item as Ingest has stored it, with its own member names. */
async function stored<T>(collection: Collection, sourceId: string): Promise<T> {
  return (await ingest.item(collection, sourceId)).item as T;
}

/** The row of one label. */
async function label(sscc: string) {
  const shipper = await stored<Shipper>('documents/shippers', sscc);
  const address = await stored<Address>('master/addresses', shipper.parties[0]?.address_source_id ?? '');
  const contents = shipper.lines.map(async ({ quantity, sku_source_id: sku }) => {
    const { name } = await stored<{ name: string }>('master/skus', sku);
    return `${quantity} × ${name}`;
  });
  return {
    Recipient: address.name,
    Street: address.lines[0],
    City: `${address.postal_code} ${address.city}`,
    Country: COUNTRIES[address.country]?.toUpperCase(),
    Order: shipper.attributes.order,
    Contents: (await Promise.all(contents)).join('\n'),
    SSCC: sscc,
  };
}

const job = await bulkfill.createAndWait({
  pdf: join(here, 'label.pdf'),
  package: sealed,
  rows: await Promise.all(shippers.map(label)),
  matchColumns: 'label',
  filenameColumns: ['SSCC'],
  maxFailedRowPercent: 0,
});
if (job.status === 'failed') throw new Error(job.error?.message);
for await (const row of bulkfill.problemRows(job.jobId)) console.log(row.rowNumber, row.code, row.message);

mkdirSync(out, { recursive: true });
const { verifiedRows } = await bulkfill.download(job.jobId, join(out, 'labels.zip'));
console.log(`${verifiedRows} labels`);
