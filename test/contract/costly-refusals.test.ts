import { expect, onTestFinished, test } from 'vitest';
import { BulkfillClient, rowsJson } from '../support/bulkfill-client.ts';
import { letterPdf, nameLayout, seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { workbook } from '../support/workbook.ts';

test('[LIM25] five workbooks in a row that take too long: pause creates of that account only', async () => {
  // Every reader takes longer than a millisecond to start.
  const server = await startBulkfillServer({
    ROWPRESS_XLSX_TIMEOUT_MS: '1',
    ROWPRESS_COOLDOWN_FAILED_JOBS: '5',
  });
  onTestFinished(() => server.stop());
  const usual = {
    pdf: letterPdf,
    doqlo_file: await seal(nameLayout, letterPdf),
    rows_json: rowsJson([{ column_0: 'Ann' }]),
    max_failed_row_percent: '0',
  };
  const [first, second] = [
    new BulkfillClient(server, await server.account(), usual),
    new BulkfillClient(server, await server.account(), usual),
  ];
  const slow = { rows_json: null, rows_file: workbook([['Ann']]) };
  // A cheap refusal between costly ones neither counts nor ends the streak.
  const refusals = [slow, slow, { pdf: new Uint8Array(10) }, slow, slow, slow];
  for (const fields of refusals) {
    const { status, body } = await first.create(fields);
    if (fields !== slow) expect([status, body.code]).toEqual([422, 'PDF_INVALID']);
    else
      expect([status, body]).toEqual([
        400,
        {
          code: 'INVALID_FIELD',
          message:
            'rows_file takes longer than 1 ms to read. Send the rows as CSV, or ask the operator to raise ROWPRESS_XLSX_TIMEOUT_MS.',
        },
      ]);
  }
  const paused = await first.create();
  expect([paused.status, paused.body.code]).toEqual([429, 'REPEATED_FAILED_JOBS_COOLDOWN']);
  expect((await second.create()).status).toBe(200);
});
