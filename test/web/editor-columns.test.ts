import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { readDraftWork } from '../support/editor-drafts.ts';
import { chooseFiles, digestOfRow, openProject, showPreview, tab } from '../support/editor-story.ts';
import { formPdf } from '../support/form-source.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts, readFields, readPdf } from '../support/read-pdf.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';
import { workbook } from '../support/workbook.ts';

const PATIENT = { timeout: 60_000 };
const letter = { name: 'letter.pdf', bytes: pagesPdf([{}]) };
const people = { name: 'people.csv', bytes: 'Name,Town,Number\r\nAda,London,1\r\nKurt,Brno,2\r\n' };
const SWAPPED = 'town;Extra;NAME;Number\r\nParis;x;Grace;7\r\nOslo;y;Niels;8\r\n';
/** `Göteborg` and `Málaga` in Windows-1252. */
const western = Buffer.from('Name,Town,Number\r\nAda,G\xf6teborg,1\r\nKurt,M\xe1laga,2\r\n', 'latin1');

interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

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
    await page.getByRole('button', { name: 'Run options' }).click();
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
  const orderKept = async (page: Page) =>
    (await readDraftWork<{ rowsReading: { columns: unknown } }>(page)).rowsReading.columns;
  const bothThemes = async (page: Page) => {
    const faults: string[] = [];
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
      faults.push(...(await accessibilityFaults(page)));
    }
    return faults;
  };

  const mapping = (page: Page, fileName: string) =>
    page.getByRole('dialog', { name: `Match the columns of ${fileName}` });
  const message = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Messages' }).locator('div', { hasText: text }).first();
  /** The text of a row's document inside the rectangle of each field. */
  const textsInFields = async (page: Page, pdf: Uint8Array) => {
    const { layout } = await readDraftWork<{ layout: { overlays: Placed[] } }>(page);
    const [read] = await readPdf(pdf);
    const inside = ({ x, y, width, height }: Placed) =>
      (read?.texts ?? [])
        .filter((text) => text.x >= x - 1 && text.x <= x + width && text.y >= y && text.y <= y + height)
        .map(({ text }) => text)
        .join(' ');
    return Object.fromEntries(layout.overlays.map((overlay) => [overlay.id, inside(overlay)]));
  };
  const statusOf = (page: Page, fileName: string, column: string) =>
    mapping(page, fileName)
      .getByRole('row', { name: new RegExp(`^${column} `) })
      .locator('td')
      .last()
      .textContent();

  it('[EDT40][EDT4] moved columns: are matched by name, said, undone, reviewed and printed in the right fields', async () => {
    const page = await openLetter();
    await replaceRows(page, 'later.csv', SWAPPED);
    const notice = message(page, '2 columns moved; matched by name');
    // The notice disappears after a while, so its buttons are pressed first.
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Ada');
    await page.getByText('people.csv').waitFor();
    await replaceRows(page, 'later.csv', SWAPPED);
    await notice.getByRole('button', { name: 'Review' }).click();
    expect(await mapping(page, 'later.csv').getByLabel('Column for Name').inputValue()).toBe('2');
    expect(await statusOf(page, 'later.csv', 'Name')).toBe('Moved');
    await mapping(page, 'later.csv').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Grace');
    await expect.poll(() => shown(page, 'text_2'), PATIENT).toContain('Paris');
    // The project's columns keep their positions and names; the file's extra column follows them.
    const list = page.getByRole('region', { name: 'Columns' }).getByRole('listitem');
    expect(await list.locator('strong').allTextContents()).toEqual(['Name', 'Town', 'Number', 'Extra']);
    await expect.poll(() => namesKept(page), PATIENT).toEqual(['Name', 'Town', 'Number', 'Extra']);
    await page.reload();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Grace');
    // The preview is the document that the run makes: its digest is that of the row's file.
    await showPreview(page);
    const previewed = await digestOfRow(page, 2);
    const files = await rowsMade(page, 2);
    const made = files['row_2.pdf'] ?? new Uint8Array();
    expect(previewed).toContain(createHash('sha256').update(made).digest('hex'));
    expect(await textsInFields(page, made)).toEqual({ text_1: 'Niels', text_2: 'Oslo' });
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
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Grace');
    await page.getByRole('button', { name: 'Run options' }).click();
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

  it('[EDT3][EDT41] missing, ambiguous and new columns: nothing is used before the table is answered', async () => {
    const page = await openLetter();
    await replaceRows(
      page,
      'city.csv',
      'Name,City,name,Mail\r\nGrace,Paris,x,g@a.test\r\nNiels,Oslo,y,n@a.test\r\n',
    );
    const table = mapping(page, 'city.csv');
    await table.getByText('1 column is missing in this file').waitFor();
    expect(await table.getByLabel('Column for Town').inputValue()).toBe('');
    expect(await statusOf(page, 'city.csv', 'Town')).toBe('Missing');
    expect(await statusOf(page, 'city.csv', 'Name')).toBe('Exact');
    await table.getByText('1 field stays blank').waitFor();
    // The fields that use a column, samples of the chosen column, and what is new in the file.
    expect(await table.getByRole('row', { name: /^Name / }).textContent()).toContain('Text F·1');
    expect(await table.getByRole('row', { name: /^Name / }).textContent()).toContain('GraceNiels');
    const added = table.getByRole('region', { name: 'New in this file' }).getByRole('listitem');
    expect(await added.locator('strong').allTextContents()).toEqual(['City', 'Mail']);
    expect(await table.getByLabel('Column for Number').count()).toBe(0);
    expect(await bothThemes(page)).toEqual([]);
    // Not answered: the previous rows stay.
    await page.keyboard.press('Escape');
    await page.getByText('2 rows · 3 columns').waitFor();
    expect(await shown(page, 'text_1')).toContain('Ada');
    await replaceRows(page, 'city.csv', 'Name,City,Mail\r\nGrace,Paris,g@a.test\r\n');
    await table.getByLabel('Column for Town').selectOption({ label: '2. City' });
    expect(await statusOf(page, 'city.csv', 'Town')).toBe('Other name');
    await table.getByRole('button', { name: 'Use these columns' }).click();
    await expect.poll(() => shown(page, 'text_2'), PATIENT).toContain('Paris');
    // The same name twice: neither is taken by itself, even at the same position.
    await replaceRows(page, 'twice.csv', 'Name,City,Name\r\nA,Lyon,B\r\n');
    await mapping(page, 'twice.csv').getByText('The name of 1 column is ambiguous').waitFor();
    expect(await statusOf(page, 'twice.csv', 'Name')).toBe('Ambiguous');
    await mapping(page, 'twice.csv').getByLabel('Column for Name').selectOption({ label: '3. Name' });
    await mapping(page, 'twice.csv').getByRole('button', { name: 'Use these columns' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('B');
    // The table can be opened again for the file in use.
    await page.getByRole('button', { name: 'Review columns' }).click();
    expect(await mapping(page, 'twice.csv').getByLabel('Column for Name').inputValue()).toBe('2');
    await mapping(page, 'twice.csv').getByLabel('Column for Name').selectOption({ label: '1. Name' });
    await mapping(page, 'twice.csv').getByRole('button', { name: 'Use these columns' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('A');
    await expect.poll(() => namesKept(page), PATIENT).toEqual(['Name', 'City', 'Name']);
    await expect.poll(() => orderKept(page), PATIENT).toBeNull();
    await page.reload();
    await expect.poll(() => shown(page, 'text_2'), PATIENT).toContain('Lyon');
    expect(await mapping(page, 'twice.csv').count()).toBe(0);
  });

  it('[EDT7][EDT42] undo, redo and another reading: restore the rows with their columns, or ask', async () => {
    const page = await openLetter();
    await replaceRows(page, 'later.csv', SWAPPED);
    await message(page, '2 columns moved; matched by name').waitFor();
    await page.getByRole('button', { name: 'Review columns' }).click();
    const table = mapping(page, 'later.csv');
    await table.getByRole('button', { name: 'Keep positions' }).click();
    expect(await table.getByLabel('Column for Name').inputValue()).toBe('0');
    await table.getByRole('button', { name: 'Use these columns' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Paris');
    const names = () =>
      page.getByRole('region', { name: 'Columns' }).getByRole('listitem').locator('strong').allTextContents();
    expect(await names()).toEqual(['town', 'Extra', 'NAME', 'Number']);
    await page.getByRole('button', { name: 'Undo: Change the columns of later.csv' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Grace');
    await page.getByRole('button', { name: 'Undo: Use the rows of later.csv' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('Ada');
    expect(await names()).toEqual(['Name', 'Town', 'Number']);
    await page.getByRole('button', { name: 'Redo: Use the rows of later.csv' }).click();
    await expect.poll(() => shown(page, 'text_2'), PATIENT).toContain('Paris');
    expect(await names()).toEqual(['Name', 'Town', 'Number', 'Extra']);
    // Another delimiter makes one column of the line: the used columns are missing, so the table opens.
    await page.getByLabel('Delimiter').selectOption('\t');
    await table.getByText('2 columns are missing in this file').waitFor();
    await table.getByRole('button', { name: 'Cancel' }).click();
    expect(await shown(page, 'text_2')).toContain('Paris');
    // Without a header, the positions count; with it, the names count again.
    await page.getByRole('button', { name: 'Undo: Use the rows of later.csv' }).click();
    await page.getByText('people.csv').waitFor();
    await page.getByRole('switch', { name: /First row is a header/ }).click();
    await page.getByText('3 rows · 3 columns').waitFor();
    await replaceRows(page, 'later.csv', SWAPPED);
    await page.getByText('3 rows · 4 columns').waitFor();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('town');
    await expect.poll(() => namesKept(page), PATIENT).toEqual(['', '', '', '']);
    await page.reload();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('town');
  });

  it('[EDT42][EDT6] a form with a file: moved names are repaired, missing ones wait with the draft until they are matched', async () => {
    const page = await editor.openPage();
    await page.goto(editor.app.url);
    const lacking = 'town,note,employee.name\r\nOslo,A note,Niels\r\n';
    await chooseFiles(page, { name: 'form.pdf', bytes: formPdf() }, { name: 'staff.csv', bytes: lacking });
    await page.getByRole('button', { name: 'Use the form’s own fields' }).click();
    const table = mapping(page, 'staff.csv');
    await table.waitFor();
    expect(await table.getByLabel('Column for employee.name').inputValue()).toBe('2');
    expect(await table.getByLabel('Column for city').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await showPreview(page);
    await page.getByText('No rows yet').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add rows' }).click();
    await page.getByText('staff.csv is not in use yet').waitFor();
    await page.getByRole('button', { name: 'Match columns' }).click();
    // Keep the positions first, then match by name.
    await table.getByRole('button', { name: 'Keep positions' }).click();
    await table.getByRole('button', { name: 'Use these columns' }).click();
    await page.getByText('1 row · 3 columns').waitFor();
    await page.getByRole('button', { name: 'Match by name' }).click();
    await page.getByText('1 field matched by name').first().waitFor();
    // The same form with all names in another order: repaired at once.
    const moved = await editor.openPage();
    await moved.goto(editor.app.url);
    const form =
      'city,note,employee.name,pin,amount,agree,bare,colour,size,turned,kept\r\nOslo,A note,Niels\r\n';
    await chooseFiles(moved, { name: 'form.pdf', bytes: formPdf() }, { name: 'staff.csv', bytes: form });
    await moved.getByRole('button', { name: 'Use the form’s own fields' }).click();
    await message(moved, 'columns moved; matched by name').waitFor();
    const files = await rowsMade(moved, 1);
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
