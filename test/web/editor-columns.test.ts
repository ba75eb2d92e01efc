import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { readDraftWork } from '../support/editor-drafts.ts';
import { chooseFiles, openProject, showPreview, tab } from '../support/editor-story.ts';
import { formPdf } from '../support/form-source.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts, readFields } from '../support/read-pdf.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';
import { workbook } from '../support/workbook.ts';

const PATIENT = { timeout: 60_000 };
const letter = { name: 'letter.pdf', bytes: pagesPdf([{}]) };
const people = { name: 'people.csv', bytes: 'Name,Town,Number\r\nAda,London,1\r\nKurt,Brno,2\r\n' };
const SWAPPED = 'town;Extra;NAME;Number\r\nParis;x;Grace;7\r\nOslo;y;Niels;8\r\n';
/** `Göteborg` and `Málaga` in Windows-1252. */
const western = Buffer.from('Name,Town,Number\r\nAda,G\xf6teborg,1\r\nKurt,M\xe1laga,2\r\n', 'latin1');

describe('rows whose columns or letters are not what the project expects', () => {
  const editor = useSignedInEditor();

  const openLetter = async (): Promise<Page> => {
    const page = await editor.openPage();
    await openProject(page, editor.app.url, letter, people);
    await tab(page, 'Data').click();
    for (const column of ['Name', 'Town'])
      await page.getByRole('button', { name: `Add ${column} to the page` }).click();
    await page.locator('[data-overlay="text_2"]').waitFor();
    return page;
  };
  const replaceRows = (page: Page, name: string, bytes: string | Buffer) =>
    page.getByLabel('Replace').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) });
  const shown = (page: Page, id: string) => page.locator(`[data-overlay="${id}"]`).textContent();
  const rowsMade = async (page: Page, count: number) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: `Create ${count} document` }).click();
    const link = page.getByRole('link', { name: /Download ZIP/ });
    await link.waitFor(PATIENT);
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    return unzipSync(new Uint8Array(await readFile(await download.path())));
  };
  const namesKept = async (page: Page) => {
    const { layout } = await readDraftWork<{ layout: { columns: { label: string }[] } }>(page);
    return layout.columns.map(({ label }) => label);
  };
  const bothThemes = async (page: Page) => {
    const faults: string[] = [];
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
      faults.push(...(await accessibilityFaults(page)));
    }
    return faults;
  };

  it('[EDT3] a header with columns in another order: is used only after a person confirmed it', async () => {
    const page = await openLetter();
    await replaceRows(page, 'later.csv', SWAPPED);
    const dialog = page.getByRole('dialog', { name: 'Check the columns of later.csv' });
    await dialog.waitFor();
    // Suggested by name and shown with the first row's value; only columns that fields use are listed.
    expect(await dialog.getByLabel('Column for Name').inputValue()).toBe('2');
    expect(await dialog.getByLabel('Column for Town').inputValue()).toBe('0');
    expect(await dialog.getByLabel('Column for Number').count()).toBe(0);
    expect(await dialog.textContent()).toContain('Grace');
    expect(await bothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    // An unconfirmed file is not used.
    await page.getByText('2 rows · 3 columns').waitFor();
    expect(await shown(page, 'text_1')).toContain('Ada');
  });

  it('[EDT3][EDT4] a confirmed order: fields, table, preview and documents take the columns by name', async () => {
    const page = await openLetter();
    await replaceRows(page, 'later.csv', SWAPPED);
    const dialog = page.getByRole('dialog', { name: 'Check the columns of later.csv' });
    await dialog.getByRole('button', { name: 'Use these columns' }).click();
    await page.getByText('later.csv').waitFor();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Grace');
    expect(await shown(page, 'text_2')).toContain('Paris');
    // The project's columns keep their positions and names; the file's extra column follows them.
    const list = page.getByRole('region', { name: 'Columns' }).getByRole('listitem');
    expect(await list.locator('strong').allTextContents()).toEqual(['Name', 'Town', 'Number', 'Extra']);
    await expect.poll(() => namesKept(page), PATIENT).toEqual(['Name', 'Town', 'Number', 'Extra']);
    await page.reload();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Grace');
    const files = await rowsMade(page, 2);
    const [text] = await pageTexts(files['row_2.pdf'] ?? new Uint8Array());
    expect(text).toContain('Niels');
    expect(text).toContain('Oslo');
    // A script sends the rows in the project's order, not the file's.
    await page.getByRole('button', { name: 'New run' }).click();
    await page.getByText('Run from a script').click();
    const [rows] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download later-rows.csv' }).click(),
    ]);
    expect(await readFile(await rows.path(), 'utf8')).toContain('"Grace","Paris","7","x"');
    expect(await page.getByRole('dialog').locator('pre').textContent()).toContain('csv_file=@later-rows.csv');
  });

  it('[EDT21] a reordered workbook with an error: the copy for a script is a workbook by name and by content', async () => {
    const page = await openLetter();
    const sheet = workbook([
      ['Town', 'Name', 'Number'],
      ['Paris', 'Grace', { error: '#N/A' }],
    ]);
    await replaceRows(page, 'later.xlsx', Buffer.from(sheet));
    const dialog = page.getByRole('dialog', { name: 'Check the columns of later.xlsx' });
    await dialog.getByRole('button', { name: 'Use these columns' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Grace');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Run from a script').click();
    const [rows] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download later-rows.xlsx' }).click(),
    ]);
    expect(rows.suggestedFilename()).toBe('later-rows.xlsx');
    const files = unzipSync(new Uint8Array(await readFile(await rows.path())));
    expect(Object.keys(files)).toContain('xl/workbook.xml');
    expect(await page.getByRole('dialog').locator('pre').textContent()).toContain(
      'rows_file=@later-rows.xlsx',
    );
  });

  it('[EDT3] a column the file lacks: is chosen by hand or left blank', async () => {
    const page = await openLetter();
    await replaceRows(page, 'city.csv', 'Name,City\r\nGrace,Paris\r\n');
    const dialog = page.getByRole('dialog', { name: 'Check the columns of city.csv' });
    expect(await dialog.getByLabel('Column for Town').inputValue()).toBe('');
    await dialog.getByText('1 field stays blank').waitFor();
    await dialog.getByLabel('Column for Town').selectOption({ label: '2. City' });
    await dialog.getByRole('button', { name: 'Use these columns' }).click();
    await expect.poll(() => shown(page, 'text_2'), PATIENT).toContain('Paris');
  });

  it('[EDT7] undo after other rows: restores the rows and the names of the columns together', async () => {
    const page = await openLetter();
    await replaceRows(page, 'later.csv', SWAPPED);
    const dialog = page.getByRole('dialog', { name: 'Check the columns of later.csv' });
    await dialog.getByRole('button', { name: 'Keep positions' }).click();
    expect(await dialog.getByLabel('Column for Name').inputValue()).toBe('0');
    await dialog.getByRole('button', { name: 'Use these columns' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Paris');
    const names = () =>
      page.getByRole('region', { name: 'Columns' }).getByRole('listitem').locator('strong').allTextContents();
    expect(await names()).toEqual(['town', 'Extra', 'NAME', 'Number']);
    await page.getByRole('button', { name: 'Undo: Use the rows of later.csv' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Ada');
    expect(await names()).toEqual(['Name', 'Town', 'Number']);
    await page.getByText('people.csv').waitFor();
    await expect.poll(() => namesKept(page), PATIENT).toEqual(['Name', 'Town', 'Number']);
    await page.reload();
    await expect.poll(() => shown(page, 'text_2'), PATIENT).toContain('London');
    const files = await rowsMade(page, 2);
    expect((await pageTexts(files['row_1.pdf'] ?? new Uint8Array()))[0]).toContain('Ada');
  });

  it('[EDT3][EDT6] a form and a file with the field names in another order: nothing is filled before the choice', async () => {
    const page = await editor.openPage();
    await page.goto(editor.app.url);
    const form = 'city,note,employee.name\r\nOslo,A note,Niels\r\n';
    await chooseFiles(page, { name: 'form.pdf', bytes: formPdf() }, { name: 'staff.csv', bytes: form });
    await page.getByRole('button', { name: 'Use the form’s own fields' }).click();
    const dialog = page.getByRole('dialog', { name: 'Check the columns of staff.csv' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('Column for employee.name').inputValue()).toBe('2');
    expect(await dialog.getByLabel('Column for city').inputValue()).toBe('0');
    await page.keyboard.press('Escape');
    await showPreview(page);
    await page.getByText('No rows yet').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add rows' }).click();
    await page.getByText('staff.csv is not in use yet').waitFor();
    await page.getByRole('button', { name: 'Check columns' }).click();
    // Keep the positions first, then match by name.
    await dialog.getByRole('button', { name: 'Keep positions' }).click();
    await dialog.getByRole('button', { name: 'Use these columns' }).click();
    await page.getByText('1 row · 3 columns').waitFor();
    await page.getByRole('button', { name: 'Match by name' }).click();
    await page.getByText('2 fields matched by name').first().waitFor();
    const files = await rowsMade(page, 1);
    const fields = await readFields(files['row_1.pdf'] ?? new Uint8Array());
    expect(fields).toMatchObject({ 'employee.name': 'Niels', city: 'Oslo', note: 'A note' });
  });

  it('[EDT8] a Windows-1252 file dropped with a PDF: is read after its encoding was chosen', async () => {
    const page = await editor.openPage();
    await page.goto(editor.app.url);
    await chooseFiles(page, letter, { name: 'western.csv', bytes: western });
    await page.getByRole('button', { name: 'Open in the editor' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose the encoding of western.csv' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('Encoding').inputValue()).toBe('windows-1252');
    expect(await dialog.getByLabel('Sample').textContent()).toContain('Göteborg');
    await dialog.getByLabel('Encoding').selectOption('windows-1251');
    expect(await dialog.getByLabel('Sample').textContent()).toContain('Gцteborg');
    await dialog.getByLabel('Encoding').selectOption('windows-1252');
    expect(await bothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Read the file' }).click();
    await tab(page, 'Data').click();
    await page.getByText('2 rows · 3 columns').waitFor();
    await page.getByRole('button', { name: 'Add Town to the page' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Göteborg');
    const files = await rowsMade(page, 2);
    expect((await pageTexts(files['row_2.pdf'] ?? new Uint8Array()))[0]).toContain('Málaga');
  });

  it('[EDT8] a Windows-1252 file in the editor: cancelled keeps the rows, chosen replaces them', async () => {
    const page = await openLetter();
    await replaceRows(page, 'western.csv', western);
    const dialog = page.getByRole('dialog', { name: 'Choose the encoding of western.csv' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await shown(page, 'text_2')).toContain('London');
    await replaceRows(page, 'western.csv', western);
    await dialog.getByRole('button', { name: 'Read the file' }).click();
    await expect.poll(() => shown(page, 'text_2'), PATIENT).toContain('Göteborg');
    expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252');
  });

  it('all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(editor.browser.faults).toEqual([]);
  });
});
