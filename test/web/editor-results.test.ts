import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Download, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readDraftWork, writeDraftKey } from '../support/editor-drafts.ts';
import { csvRows, exportPackage, openProject, tab } from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';

const PATIENT = { timeout: 60_000 };
const letter = { name: 'letter.pdf', bytes: pagesPdf([{}]) };
const bill = { name: 'bill.pdf', bytes: pagesPdf([{}, {}]) };

interface Drawn {
  readonly layout: { readonly overlays: readonly unknown[] };
}

describe('results, request keys, accounts and names', () => {
  const editor = useSignedInEditor();

  const addName = async (page: Page) => {
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: 'Add Name to the page' }).click();
    await page.locator('[data-overlay="text_1"]').waitFor();
  };
  const openLetter = async (csv: string): Promise<Page> => {
    const page = await editor.openPage();
    await openProject(page, editor.app.url, letter, { name: 'people.csv', bytes: csv });
    await addName(page);
    return page;
  };
  const openRun = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click();
  const openOptions = (page: Page) => page.getByRole('button', { name: 'Run options' }).click();
  const make = (page: Page, count: number) =>
    page.getByRole('button', { name: `Create ${count} ${count === 1 ? 'document' : 'documents'}` });
  const zipLink = (page: Page) => page.getByRole('link', { name: /Download ZIP/ });
  const runAll = async (page: Page, count: number) => {
    await openOptions(page);
    await make(page, count).click();
    await zipLink(page).waitFor(PATIENT);
  };
  const replaceRows = (page: Page, name: string, csv: string) =>
    page.getByLabel('Replace').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const filesOf = async (download: Download) =>
    unzipSync(new Uint8Array(await readFile(await download.path())));
  const textOfRow1 = async (page: Page) => {
    const [download] = await Promise.all([page.waitForEvent('download'), zipLink(page).click()]);
    const [text = ''] = await pageTexts((await filesOf(download))['row_1.pdf'] ?? new Uint8Array());
    return text;
  };

  it('[EDT1] a layout changed after a run: Run starts a new one, and the finished one is an earlier run', async () => {
    const page = await openLetter(csvRows(3));
    await runAll(page, 3);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add Town to the page' }).click();
    await page.locator('[data-overlay="text_2"]').waitFor();
    // The layout of the run is restored, and so is its result.
    await page.getByRole('button', { name: /^Undo: Add Town/ }).click();
    await openRun(page);
    const finished = page.getByRole('dialog', { name: 'Finished' });
    const first = await finished.locator('code').first().textContent();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: /^Redo: Add Town/ }).click();
    await openRun(page);
    await zipLink(page).waitFor(PATIENT);
    expect(await finished.locator('code').first().textContent()).not.toBe(first);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Earlier runs' }).click();
    const runs = page.getByRole('dialog', { name: 'Earlier runs' }).getByRole('listitem');
    await expect.poll(() => runs.count(), PATIENT).toBe(2);
    await runs.nth(0).getByText('Version 2').waitFor();
    await runs.nth(1).getByText('Version 1').waitFor();
  });

  it('[EDT1] another project opened after a run: Run starts its own run, and the other ZIP is not offered', async () => {
    const page = await openLetter(csvRows(3));
    await runAll(page, 3);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Rowpress start page' }).click();
    await page.getByText('Drop a PDF here').waitFor();
    await page
      .locator('main input[type=file]')
      .first()
      .setInputFiles(
        [bill, { name: 'bills.csv', bytes: csvRows(2) }].map(({ name, bytes }) => ({
          name,
          mimeType: 'application/octet-stream',
          buffer: Buffer.from(bytes),
        })),
      );
    await page.getByRole('button', { name: 'Open in the editor' }).click();
    await addName(page);
    await page.getByRole('button', { name: 'Earlier runs' }).click();
    await page.getByText('No runs yet').waitFor();
    await page.keyboard.press('Escape');
    await openRun(page);
    await zipLink(page).waitFor(PATIENT);
    expect(await page.getByText('All 2 documents created').count()).toBe(1);
  });

  it('[EDT1][EDT2] a corrected file of the same name and size: is a new run with the new text', async () => {
    const csv = csvRows(2);
    const page = await openLetter(csv);
    await runAll(page, 2);
    await page.keyboard.press('Escape');
    await replaceRows(page, 'people.csv', csv.replace('Name of row 1', 'Name of ROW 1'));
    // Exact, because the text of the previous file differs only in its case.
    await page.locator('[data-overlay="text_1"]').getByText('Name of ROW 1', { exact: true }).waitFor();
    await runAll(page, 2);
    expect(await textOfRow1(page)).toContain('Name of ROW 1');
  });

  it('[EDT2] a request key that was used for other data: says so and starts a new run', async () => {
    const page = await openLetter(csvRows(4));
    await runAll(page, 4);
    type Work = { request: { key: string } | null; runs: { result: unknown }[] };
    await expect
      .poll(async () => (await readDraftWork<Work>(page)).request?.key, PATIENT)
      .toMatch(/^editor-/);
    const used = (await readDraftWork<Work>(page)).request?.key ?? '';
    await page.keyboard.press('Escape');
    await replaceRows(page, 'people.csv', csvRows(5));
    await page.getByText('5 rows · 3 columns').waitFor();
    await runAll(page, 5);
    await expect.poll(async () => (await readDraftWork<Work>(page)).request?.key, PATIENT).not.toBe(used);
    // Otherwise the reload would resume the run and offer "Show result" instead of "Run".
    await expect
      .poll(async () => (await readDraftWork<Work>(page)).runs[0]?.result ?? null, PATIENT)
      .not.toBeNull();
    await writeDraftKey(page, used);
    await page.reload();
    await page.locator('[data-overlay="text_1"]').waitFor();
    await tab(page, 'Data').click();
    await page.getByText('5 rows · 3 columns').waitFor();
    await openRun(page);
    const refused = page.getByRole('dialog', { name: 'Not started' });
    await refused.getByText('The project or its data changed since this run was first sent').waitFor(PATIENT);
    await refused.getByRole('button', { name: 'Start a new run' }).click();
    await page
      .getByRole('dialog', { name: 'Finished' })
      .getByText('All 5 documents created')
      .waitFor(PATIENT);
  });

  it('[EDT20] problem rows that cannot be loaded: the result says so and loads them again', async () => {
    const page = await openLetter(csvRows(2).replace('Name of row 2', '\u{10ffff}'));
    await page.route('**/problem-rows*', (route) => route.abort());
    await openRun(page);
    await page.getByText('1 of 2 rows have problems').waitFor(PATIENT);
    await page.getByRole('button', { name: 'Run anyway' }).click();
    await zipLink(page).waitFor(PATIENT);
    const dialog = page.getByRole('dialog', { name: 'Finished' });
    await dialog.getByText('The list of problem rows could not be loaded').waitFor();
    await dialog.getByText('Some rows may need attention').waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    // Still unreachable.
    await page.getByRole('alert').getByText('Failed to fetch').waitFor();
    await page.unroute('**/problem-rows*');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'Open row 2' }).waitFor();
    expect(await dialog.getByText('could not be loaded').count()).toBe(0);
    await dialog.getByText('1 document has notes: characters are missing').waitFor();
  });

  it('[EDT11] a project renamed after a save: the next package carries the new name', async () => {
    const page = await openLetter(csvRows(2));
    const exported = async () => {
      const saved = await exportPackage(page);
      const layout = JSON.parse(new TextDecoder().decode((await filesOf(saved))['layout.json']));
      return [saved.suggestedFilename(), layout.name];
    };
    expect(await exported()).toEqual(['letter.doqlo', 'letter']);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor(PATIENT);
    await page.getByLabel('Project name').fill('Invoice');
    await page.getByLabel('Project name').press('Enter');
    await page.getByText('Unsaved changes').waitFor();
    expect(await exported()).toEqual(['Invoice.doqlo', 'Invoice']);
    await runAll(page, 2);
    await page.getByRole('dialog', { name: 'Finished' }).waitFor();
  });

  it('[EDT10] an account that sorts first is created: the account in use stays', async () => {
    const page = await openLetter(csvRows(2));
    const header = page.getByLabel('Account that jobs run under');
    expect(await header.inputValue()).toBe('main');
    await expect.poll(async () => (await readDraftWork<Drawn>(page)).layout.overlays.length, PATIENT).toBe(1);
    await editor.app.operator.post('/accounts', { name: 'alpha' });
    await page.reload();
    await page.locator('[data-overlay="text_1"]').waitFor();
    await expect.poll(() => header.locator('option').allTextContents(), PATIENT).toContain('alpha');
    expect(await header.inputValue()).toBe('main');
  });

  it('[EDT10] the chosen account is gone: says so and runs nothing until another one is chosen', async () => {
    const page = await openLetter(csvRows(2));
    await expect.poll(async () => (await readDraftWork<Drawn>(page)).layout.overlays.length, PATIENT).toBe(1);
    await page.evaluate("localStorage.setItem('rowpress.account', 'gone')");
    await page.reload();
    await page.locator('[data-overlay="text_1"]').waitFor();
    expect(await page.getByLabel('Account that jobs run under').inputValue()).toBe('');
    await openRun(page);
    const dialog = page.getByRole('dialog', { name: 'Run options' });
    await dialog.getByText('The account “gone” no longer exists. Choose another one.').waitFor();
    expect(await make(page, 2).isDisabled()).toBe(true);
    await dialog.getByLabel('Account').selectOption('main');
    expect(await make(page, 2).isDisabled()).toBe(false);
  });

  it('all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(editor.browser.faults).toEqual([]);
  });
});
