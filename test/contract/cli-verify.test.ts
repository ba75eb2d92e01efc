import { zipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { letterPdf } from '../support/bulkfill-server.ts';
import { box, fill, layoutOf } from '../support/fill-cli.ts';
import { cliSandbox } from '../support/run-cli.ts';

test('[OPS60] [OPS61] verify of an archive that fill made: intact; of one with a changed PDF: exit code 1 and a report', async () => {
  const sandbox = await cliSandbox();
  onTestFinished(() => sandbox.remove());
  const { files } = await fill(sandbox, {
    pdf: letterPdf,
    layout: layoutOf([{ id: 'name', type: 'text', ...box, value: { column: 'column_0' } }], {
      columns: [{ key: 'column_0', label: 'Name' }],
    }),
    rows: 'Ann\nBob\nCara\n',
  });
  const intact = await sandbox.run(['verify', 'out.zip', '--json']);
  expect(intact).toMatchObject({ status: 0, stderr: '' });
  expect(intact.json()).toMatchObject({ ok: true, rows: 3, verified: 3, problem_count: 0, problems: [] });
  expect((await sandbox.run(['verify', 'out.zip'])).stdout).toBe(
    'out.zip is intact: 3 PDFs of 3 rows verified.\n',
  );

  const { 'row_2.pdf': second = new Uint8Array(), ...others } = files;
  await sandbox.write('changed.zip', zipSync({ ...others, 'row_2.pdf': second.slice(1) }));
  const changed = await sandbox.run(['verify', 'changed.zip', '--json']);
  expect(changed.status).toBe(1);
  expect(changed.json()).toMatchObject({
    ok: false,
    code: 'ARCHIVE_DAMAGED',
    verified: 2,
    problems: [{ kind: 'changed', file_name: 'row_2.pdf', row_number: 2 }],
  });
  const words = await sandbox.run(['verify', 'changed.zip']);
  expect(words).toMatchObject({
    stdout: 'row 2: "row_2.pdf" is not the file in the manifest (SHA-256 differs)\n',
    stderr: expect.stringContaining('1 problem, 2 of 3 rows verified'),
  });

  const missing = await sandbox.run(['verify', 'none.zip', '--json']);
  expect([missing.status, missing.json().code]).toEqual([2, 'USAGE']);
  await sandbox.write('page.zip', '<html>not a ZIP</html>');
  const page = await sandbox.run(['verify', 'page.zip', '--json']);
  expect([page.status, page.json().code]).toEqual([1, 'ARCHIVE_DAMAGED']);
});
