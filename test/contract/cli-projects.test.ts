import { expect, onTestFinished, test } from 'vitest';
import { letterPdf, nameLayout, seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { cliSandbox } from '../support/run-cli.ts';

test('[OPS81] projects: are saved, shown, filled, downloaded, changed and deleted by name', async () => {
  const server = await startBulkfillServer();
  const sandbox = await cliSandbox();
  onTestFinished(async () => {
    await server.stop();
    await sandbox.remove();
  });
  const env = { ROWPRESS_SERVER: server.url, ROWPRESS_API_KEY: (await server.account()).key };
  const run = (...args: string[]) => sandbox.run([...args, '--json'], env);
  await sandbox.write('form.pdf', letterPdf);
  await sandbox.write('form.doqlo', await seal(nameLayout, letterPdf));
  await sandbox.write('layout.json', nameLayout);
  await sandbox.write('rows.csv', 'Ann\nBob\n');

  const create = ['projects', 'create', 'Letter', '--pdf', 'form.pdf', '--package', 'form.doqlo'];
  const made = (await run(...create)).json();
  expect(made).toMatchObject({ name: 'Letter', version: 1 });
  const again = await run(...create, '--idempotency-key', String(made.idempotency_key));
  expect(again.json()).toMatchObject({ project_id: made.project_id });
  expect((await run(...create)).json()).toMatchObject({ code: 'PROJECT_NAME_TAKEN' });
  const unsealed = await run('projects', 'create', 'Other', '--pdf', 'form.pdf', '--layout', 'layout.json');
  expect([unsealed.status, unsealed.json().code]).toEqual([1, 'SEAL_NOT_ALLOWED']);

  const filled = await run('submit', '--project', 'Letter@1', '--rows', 'rows.csv', '-o', 'out.zip');
  expect(filled.json()).toMatchObject({ status: 'completed', verified_rows: 2 });
  const both = await run('submit', '--project', 'Letter', '--pdf', 'form.pdf', '--rows', 'rows.csv');
  expect([both.status, both.json().code]).toEqual([2, 'USAGE']);

  const renamed = await run('projects', 'update', 'Letter', '--name', 'Reminder', '--if-version', '1');
  expect(renamed.json()).toMatchObject({ name: 'Reminder', version: 2 });
  const late = await run('projects', 'update', 'Reminder', '--name', 'Late', '--if-version', '1');
  expect([late.status, late.json().code]).toEqual([1, 'PRECONDITION_FAILED']);
  expect((await run('projects', 'show', 'Reminder')).json()).toMatchObject({ project_id: made.project_id });
  expect((await run('projects', 'show', 'Reminder@1')).json()).toMatchObject({ version: 1 });
  expect((await run('projects', 'list')).json()).toMatchObject({ projects: [{ name: 'Reminder' }] });
  expect((await run('projects', 'download', 'Reminder', '--pdf', 'back.pdf')).status).toBe(0);
  expect(Buffer.from(await sandbox.read('back.pdf')).equals(letterPdf)).toBe(true);
  expect((await run('projects', 'delete', 'Reminder')).json()).toMatchObject({ deleted: true });
  const gone = await run('projects', 'show', 'Reminder');
  expect([gone.status, gone.json().code]).toEqual([1, 'PROJECT_NOT_FOUND']);
});
