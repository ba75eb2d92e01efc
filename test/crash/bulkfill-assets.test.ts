import { zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { createKey } from '#engine/keys/create-key.ts';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { openDatabase } from '#storage/database.ts';
import { BulkfillClient } from '../support/bulkfill-client.ts';
import { startBulkfillProcess } from '../support/bulkfill-process.ts';
import { letterPdf, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { databaseUrl } from '../support/cli.ts';
import { createDatabase } from '../support/database.ts';
import { box, fill, layoutOf, sha256 } from '../support/fill-cli.ts';
import { keyKinds } from '../support/product.ts';
import { cliSandbox } from '../support/run-cli.ts';
import { quartersJpeg, turnedJpeg } from '../support/small-jpeg.ts';
import { smallPng } from '../support/small-png.ts';
import { temporaryDirectory } from '../support/subscribers-scene.ts';

/** Three slices of a job with pictures. */
const ROWS = 250;
const PICTURES = 20;

const pictures = Object.fromEntries(
  Array.from({ length: PICTURES }, (_, index) => [
    `photos/${index}.${index % 2 === 0 ? 'jpg' : 'png'}`,
    index % 2 === 0
      ? turnedJpeg(quartersJpeg, 1 + (index % 8))
      : smallPng([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0], [0, index]),
  ]),
);
const rows = Array.from({ length: ROWS }, (_, index) => ({
  column_0: `${index % PICTURES}.${(index % PICTURES) % 2 === 0 ? 'jpg' : 'png'}`,
  column_1: `Person ${index}`,
}));
const layout = layoutOf([
  { ...box, id: 'photo', type: 'image', value: { column: 'column_0' } },
  { ...box, id: 'name', type: 'text', y: 300, value: { column: 'column_1' } },
]);

test('[BF71] [BF94] a job with pictures, killed while they are stored, drawn and settled: has the rows of an undisturbed run', async () => {
  const address = await createDatabase();
  const database = openDatabase(address, 2, () => {});
  onTestFinished(() => database.close());
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    ROWPRESS_DATA_DIR: await temporaryDirectory(),
    DATABASE_URL: databaseUrl(address),
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
    ROWPRESS_WORKERS: '1',
  };
  const made = await createKey(
    { db: database.db, kinds: keyKinds, clock: systemClock, ids: systemIds, plan: 'unlimited' },
    { surface: 'bulkfill', account: 'kills' },
  );
  if (!made.ok) throw new Error(made.reason);
  const account = { name: 'kills', id: made.record.accountId, key: made.key, keyId: made.record.id };
  const zip = zipSync(pictures);
  const fields = {
    pdf: letterPdf,
    doqlo_file: await seal(layout, letterPdf),
    rows_json: JSON.stringify(rows),
    assets_file: zip,
    max_failed_row_percent: '0',
  };
  const create = (url: string, wait: number) =>
    new BulkfillClient({ url }, account, fields).create(
      {},
      { key: 'pictures', headers: { prefer: `wait=${wait}` } },
    );

  // The client has received no response and retries the request.
  const storing = await startBulkfillProcess({ env, fault: { point: 'blob.after-rename', at: 2 } });
  await expect(create(storing.url, 0)).rejects.toThrow('fetch failed');
  const drawing = await startBulkfillProcess({ env, fault: { point: 'slice.before-commit', at: 2 } });
  const { body: accepted } = await create(drawing.url, 0);
  expect(await drawing.died).toBe('SIGKILL');
  const settling = await startBulkfillProcess({ env, fault: { point: 'settle.after-finish', at: 1 } });
  expect(await settling.died).toBe('SIGKILL');

  const { url } = await startBulkfillProcess({ env });
  const { body: job } = await create(url, 60);
  expect([job.job_id, job.status]).toEqual([accepted.job_id, 'completed']);
  const ours = await new BulkfillClient({ url }, account, fields).archive(job.job_id);

  const sandbox = await cliSandbox();
  onTestFinished(() => sandbox.remove());
  await sandbox.write('pictures.zip', zip);
  const args = ['--assets', 'pictures.zip'];
  const theirs = await fill(sandbox, { pdf: letterPdf, layout, rows, args });
  expect(ours.manifest.summary).toMatchObject({ success_rows: ROWS });
  expect(ours.manifest.row_results).toEqual(theirs.manifest.row_results);
  for (const { file_name, sha256: digest } of ours.manifest.row_results)
    expect(sha256(ours.files[file_name ?? '']), file_name ?? '').toBe(digest);
  const { rows: bills } = await database.pool.query('select billed_rows from quota_ledger');
  expect(bills).toEqual([{ billed_rows: ROWS }]);
});
