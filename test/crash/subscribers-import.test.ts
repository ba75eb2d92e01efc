import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#storage/database.ts';
import { createDatabase } from '../support/database.ts';
import { SubscribersProcess } from '../support/subscribers-process.ts';
import { EMAIL, NAME, temporaryDirectory } from '../support/subscribers-scene.ts';

const ROWS = 200_000;
/** Every tenth row is repeated at the end of the file with another name, and every thousandth has no email. */
function bigCsv(): string {
  const lines = ['Email,Name'];
  for (let i = 0; i < ROWS; i += 1)
    lines.push(i % 1_000 === 999 ? `,Nobody ${i}` : `person${i}@example.com,First ${i}`);
  for (let i = 0; i < ROWS; i += 10) lines.push(`PERSON${i}@example.com,Last ${i}`);
  return `${lines.join('\n')}\n`;
}

test('[SUB30] kill -9 in the middle of a large import: every row counts once', async () => {
  const address = await createDatabase();
  const blobRoot = await temporaryDirectory();
  const database = openDatabase(address, 2, () => {});
  onTestFinished(() => database.close());
  const count = async (text: string) => Number(Object.values((await database.pool.query(text)).rows[0])[0]);

  let server = await SubscribersProcess.start({
    address,
    blobRoot,
    fault: { point: 'slice.before-commit', at: 3 },
  });
  const body = JSON.stringify({ csv_text: bigCsv(), mappings: [EMAIL, NAME] });
  const key = { 'idempotency-key': 'the-big-one' };
  const created = await server.api.post('/v1/jobs/subscriber-imports', body, key);
  expect(created.status).toBe(202);
  expect(await server.died).toBe('SIGKILL');
  // The third slice (a pass over the file, then rows) had merged its rows but not committed, so they must be absent. Of the
  // second slice's 10,000 rows, 10 have no email and 1,000 are superseded by the end of the file.
  expect(await count('select count(*) from subscribers')).toBe(10_000 - 10 - 1_000);

  server = await SubscribersProcess.start({ address, blobRoot });
  onTestFinished(() => server.stop());
  const again = await server.api.post('/v1/jobs/subscriber-imports', body, key);
  expect(again.body).toEqual(created.body);
  const job = await server.api.ended(created.body.data.self);
  const failed = ROWS / 1_000;
  const repeated = ROWS / 10;
  expect(job).toMatchObject({
    status: 'Completed',
    row_count: ROWS + repeated,
    created_count: ROWS - failed,
    updated_count: 0,
    unchanged_count: repeated,
    failed_count: failed,
    imported_count: ROWS - failed + repeated,
  });
  expect(await count('select count(*) from subscribers')).toBe(ROWS - failed);
  expect(await count("select count(*) from subscribers where name like 'Last %'")).toBe(repeated);
  const report = await server.api.get(new URL(job.failed_rows_url).pathname);
  expect(report.body.trim().split('\r\n')).toHaveLength(failed + 1);
});
