import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { csvRows, digestOfRow, openProject, showPreview, tab } from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { authority, certificate } from '../support/webhooks.ts';
import { workbook } from '../support/workbook.ts';

const PATIENT = { timeout: 60_000 };
const letter = { name: 'letter.pdf', bytes: pagesPdf([{}]) };

/** Run options, cancelling a run, and rows from a workbook. */
describe('running from the editor', () => {
  const editor = useSignedInEditor(
    { ROWPRESS_WEBHOOK_ALLOW: 'hooks.test' },
    { webhookCa: authority.ca, resolve: async (host) => (host === 'hooks.test' ? ['127.0.0.1'] : []) },
  );

  const openLetter = async (name: string, bytes: Uint8Array | string, column: string): Promise<Page> => {
    const page = await editor.openPage();
    await openProject(page, editor.app.url, letter, { name, bytes });
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: `Add ${column} to the page` }).click();
    await page.locator('[data-overlay="text_1"]').waitFor();
    return page;
  };
  const run = async (page: Page, documents: string) => {
    await page.getByRole('button', { name: 'Run options' }).click();
    const start = page.getByRole('button', { name: `Create ${documents} documents` });
    await start.waitFor();
    return start;
  };

  it('a run with a webhook: sends the event, and its secret is not in the draft', async () => {
    const receiver = await startReceiver(certificate, 204);
    const page = await openLetter('people.csv', csvRows(3), 'Name');
    const start = await run(page, '3');
    await page.getByLabel('Call a webhook when the run is finished').check();
    // A webhook needs an address and a secret.
    expect(await start.isDisabled()).toBe(true);
    await page.getByLabel('Webhook address').fill(`https://hooks.test:${receiver.port}/finished`);
    await page.getByLabel('Signing secret').fill('a secret of this run');
    await start.click();
    await page.getByRole('link', { name: /Download ZIP/ }).waitFor();
    await expect.poll(() => receiver.received.length, PATIENT).toBe(1);
    const [{ url, body } = { url: '', body: Buffer.alloc(0) }] = receiver.received;
    expect(url).toBe('/finished');
    expect(body.toString()).toContain('bulkfill.export_job.completed');

    await page.reload();
    await page.locator('[data-overlay="text_1"]').waitFor();
    await run(page, '3');
    expect(await page.getByLabel('Call a webhook when the run is finished').isChecked()).toBe(false);
    expect(await draftsAsText(page)).toContain('people.csv');
    expect(await draftsAsText(page)).not.toContain('a secret of this run');
  });

  it('a run that is cancelled in its window: the next run is a new job', async () => {
    const page = await openLetter('many.csv', csvRows(60_000), 'Town');
    await (await run(page, '60,000')).click();
    const cancel = page.getByRole('button', { name: 'Cancel run' });
    await cancel.waitFor(PATIENT);
    await cancel.click();
    const outcome = page.getByRole('dialog', { name: 'Not finished' });
    await outcome.getByText('Run cancelled').waitFor(PATIENT);
    expect(await outcome.getByRole('link', { name: /Download/ }).count()).toBe(0);
    const id = (await outcome.locator('code').first().textContent()) ?? '';
    expect((await editor.app.operator.get(`/jobs/${id}`)).body).toMatchObject({
      state: 'failed',
      cancelled: true,
    });

    await outcome.getByRole('button', { name: 'New run' }).click();
    await page.getByLabel('Last row').fill('2');
    await page.getByRole('button', { name: 'Create 2 documents' }).click();
    const finished = page.getByRole('dialog', { name: 'Finished' });
    await finished.getByText('All 2 documents created').waitFor(PATIENT);
    expect(await finished.locator('code').first().textContent()).not.toBe(id);
  });

  it('takes the rows of a workbook: shown, previewed and filled with the same text', async () => {
    const sheet = workbook([
      ['Name', 'Born', 'Number'],
      ['Ada Lovelace', { day: 5823 }, 7],
      ['Grace Hopper', { day: 2536 }, '0042'],
    ]);
    const page = await openLetter('people.xlsx', sheet, 'Born');
    await page.getByText('2 rows · 3 columns').waitFor();
    // A workbook needs no reading options.
    expect(await page.getByLabel('Delimiter').count()).toBe(0);
    await page.getByRole('button', { name: 'Add Number to the page' }).click();
    await page.getByRole('button', { name: 'All rows' }).click();
    const rows = page.getByRole('dialog');
    for (const text of ['Ada Lovelace', 'Grace Hopper', '0042']) await rows.getByText(text).waitFor();
    await page.keyboard.press('Escape');
    await showPreview(page);
    const digests = [await digestOfRow(page, 1), await digestOfRow(page, 2)];
    await (await run(page, '2')).click();
    const link = page.getByRole('link', { name: /Download ZIP/ });
    await link.waitFor(PATIENT);
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const files = unzipSync(new Uint8Array(await readFile(await download.path())));
    const manifest = JSON.parse(new TextDecoder().decode(files['manifest.json'])) as {
      row_results: { sha256: string }[];
    };
    expect(manifest.row_results.map(({ sha256 }) => sha256)).toEqual(digests);
  });

  it('all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(editor.browser.faults).toEqual([]);
  });
});

/** Returns all text that the browser has stored. */
function draftsAsText(page: Page): Promise<string> {
  return page.evaluate(
    `new Promise((resolve, reject) => {
       const opening = indexedDB.open('rowpress');
       opening.onerror = () => reject(opening.error);
       opening.onsuccess = () => {
         const asked = opening.result.transaction('drafts').objectStore('drafts').getAll();
         asked.onsuccess = () => { opening.result.close(); resolve(JSON.stringify(asked.result)); };
       };
     })`,
  );
}
