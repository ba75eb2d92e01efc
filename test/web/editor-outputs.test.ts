import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { csvRows, openProject, tab } from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';
import { focused } from '../support/web-page.ts';

const PATIENT = { timeout: 60_000 };
const content = '0.9 0.95 1 rg 0 0 180 14 re f 0 g BT /F1 8 Tf 6 4 Td (ROWPRESS LABELS) Tj ET';
const label = { name: 'label.pdf', bytes: pagesPdf([{ content }], '/MediaBox[0 0 180 96]') };

/** Output, sheets of labels and passwords in the options of a run, and the files of its result. */
describe('the outputs of a run', () => {
  const editor = useSignedInEditor();

  const openLabels = async (csv: string): Promise<Page> => {
    const page = await editor.openPage();
    await openProject(page, editor.app.url, label, { name: 'people.csv', bytes: csv });
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: 'Add Name to the page' }).click();
    await page.locator('[data-overlay="text_1"]').waitFor();
    return page;
  };
  const openOptions = (page: Page) => page.getByRole('button', { name: 'Run options' }).click();
  const output = (page: Page, name: string) => page.getByRole('radio', { name });
  const create = (page: Page, count: number) =>
    page.getByRole('button', { name: `Create ${count} documents` });
  const picture = (page: Page, labels: number) => page.locator(`[data-labels="${labels}"]`);
  const saved = (page: Page, link: Locator) => downloaded(page, () => link.click());
  const downloaded = async (page: Page, act: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), act()]);
    return {
      name: download.suggestedFilename(),
      bytes: new Uint8Array(await readFile(await download.path())),
    };
  };
  const labelSheet = async (page: Page) => {
    await openOptions(page);
    await output(page, 'One PDF of all rows').check();
    await page.getByLabel('Print on sheets of labels').check();
  };

  it('[EDT230] [EDT231] [EDT233] labels on a named sheet: the picture shows the first rows, and the merged PDF is that sheet', async () => {
    const page = await openLabels(csvRows(30));
    await openOptions(page);
    // The radio buttons and the list work with keys alone.
    await output(page, 'One PDF per row').focus();
    await page.keyboard.press('ArrowRight');
    expect(await output(page, 'One PDF of all rows').isChecked()).toBe(true);
    await page.getByLabel('Print on sheets of labels').press('Space');
    const sheet = page.getByRole('combobox', { name: 'Sheet' });
    await sheet.fill('herma 4453');
    await sheet.press('Enter');
    await page.getByText('2 sheets for 30 rows, 24 labels per sheet.').waitFor();
    await sheet.fill('63.5 x 33.9');
    await page.getByRole('option', { name: /Avery L7159/ }).click();
    await picture(page, 24).waitFor(PATIENT);
    expect(await inkOf(page, 0, 0)).toBeGreaterThan(20);
    expect(await accessibilityFaults(page)).toEqual([]);

    // A click on the fourth label leaves three free.
    await page.locator('figure svg rect').nth(3).click();
    expect(await page.getByLabel('Labels to skip').inputValue()).toBe('3');
    await picture(page, 21).waitFor(PATIENT);
    expect(await inkOf(page, 0, 0)).toBe(0);
    expect(await inkOf(page, 0, 1)).toBeGreaterThan(20);
    await page.getByText('2 sheets for 30 rows').waitFor();

    await create(page, 30).click();
    const finished = page.getByRole('dialog', { name: 'Finished' });
    const link = finished.getByRole('link', { name: 'Download merged PDF' });
    await link.waitFor(PATIENT);
    // Rows of a merged PDF have no file of their own.
    expect(await finished.getByRole('link', { name: /Row as/ }).count()).toBe(0);
    const { name, bytes } = await saved(page, link);
    expect(name).toMatch(/^label-\d{4}-\d\d-\d\d\.pdf$/);
    const sheets = await pageTexts(bytes);
    expect(sheets.map((text) => text.match(/Name of row \d+/g)?.length)).toEqual([21, 9]);
    const zip = await saved(page, finished.getByRole('link', { name: /Download ZIP/ }));
    expect(Object.keys(unzipSync(zip.bytes)).sort()).toEqual(['manifest.json', 'merged.pdf']);

    // The choice stays with the project.
    await page.reload();
    await page.locator('[data-overlay="text_1"]').waitFor();
    await openOptions(page);
    expect(await output(page, 'One PDF of all rows').isChecked()).toBe(true);
    expect(await page.getByLabel('Labels to skip').inputValue()).toBe('3');
    expect(await page.getByRole('combobox', { name: 'Sheet' }).inputValue()).toContain('Avery L7159');
    await picture(page, 21).waitFor(PATIENT);
  });

  it('[EDT232] own sizes that do not fit: says why before anything is sent, and no input moves', async () => {
    const page = await openLabels(csvRows(30));
    await labelSheet(page);
    await page.getByLabel('Labels', { exact: true }).selectOption('Own sizes');
    expect(await page.getByLabel('Sheet width').inputValue()).toBe('210');
    await picture(page, 24).waitFor(PATIENT);
    const before = await page.getByLabel('Crop marks').boundingBox();
    await page.getByRole('textbox', { name: 'Columns' }).fill('4');
    const message = page.getByRole('alert').filter({ hasText: /labels end at 268\.75 mm, .* 210 mm wide/ });
    await message.waitFor();
    expect(await page.getByRole('textbox', { name: 'Columns' }).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Label height').getAttribute('aria-invalid')).toBe('false');
    expect(await page.locator('rect[data-state="beyond"]').count()).toBe(8);
    expect(await create(page, 30).isDisabled()).toBe(true);
    expect(await page.getByLabel('Crop marks').boundingBox()).toEqual(before);
    expect(await accessibilityFaults(page)).toEqual([]);

    // Run opens the options again instead of sending the sheet.
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await message.waitFor();
    await page.getByLabel('Label width').fill('1.9 in');
    await page.getByLabel('Column pitch').fill('5 cm');
    await picture(page, 30).waitFor(PATIENT);
    await page.getByText('1 sheet for 30 rows, 32 labels per sheet.').waitFor();
    expect(await create(page, 30).isEnabled()).toBe(true);
  });

  it('[EDT234] a password column: rows without a password are found before the run, and the others are encrypted', async () => {
    const page = await openLabels('Name,Secret\r\nAda,rosebud\r\nGrace,\r\nLinus,penguin\r\n');
    await openOptions(page);
    const password = page.getByLabel('Password of each PDF');
    await password.selectOption({ label: 'Secret' });
    await page.getByText('A row with a blank value fails.').waitFor();
    await output(page, 'Both').check();
    await page.getByText('One PDF of all rows cannot have a password per row.').waitFor();
    expect(await create(page, 3).isDisabled()).toBe(true);
    await output(page, 'One PDF per row').check();
    await page.getByLabel('Part 1 of the file name').selectOption({ label: 'Secret' });
    await page.getByText('also in the file names, which are not encrypted').waitFor();
    await page.getByLabel('Part 1 of the file name').selectOption({ label: 'Name' });
    await create(page, 3).click();

    const found = page.getByRole('dialog', { name: 'Before the run' });
    await found.getByText('1 of 3 rows have problems').waitFor(PATIENT);
    await found.getByText('1 row would fail').waitFor();
    await found.getByRole('button', { name: 'Run anyway' }).click();
    const finished = page.getByRole('dialog', { name: 'Finished' });
    await finished.getByText('2 of 3 documents created').waitFor(PATIENT);
    await finished.getByText('no password').first().waitFor();
    // An encrypted row has no picture.
    expect(await finished.getByRole('link', { name: 'Row as PNG' }).count()).toBe(0);
    await finished.getByLabel('One row of the file').fill('3');
    const { bytes } = await saved(page, finished.getByRole('link', { name: 'Row as PDF' }));
    await expect(pageTexts(bytes)).rejects.toThrow(/password/i);
    expect((await pageTexts(bytes, 'penguin'))[0]).toContain('Linus');
  });

  it('[EDT230] [EDT235] [EDT254] both outputs of some rows: offers the ZIP, the merged PDF and one row as PDF or PNG', async () => {
    const page = await openLabels(csvRows(9));
    await openOptions(page);
    await output(page, 'Both').check();
    const bothSides = page.getByLabel('Print on both sides of the paper');
    await bothSides.check();
    await page.getByRole('textbox', { name: 'First row' }).fill('4');
    await create(page, 6).click();
    const finished = page.getByRole('dialog', { name: 'Finished' });
    await finished.getByRole('link', { name: 'Download merged PDF' }).waitFor(PATIENT);
    // Not in the field for one row: most people want the files.
    expect(await focused(page)).toBe('h2 Finished');
    const merged = await downloaded(page, () => page.keyboard.press('Enter'));
    const texts = await pageTexts(merged.bytes);
    expect(texts.flatMap((text, index) => (text === '' ? [index + 1] : []))).toEqual([2, 4, 6, 8, 10, 12]);
    const zip = await saved(page, finished.getByRole('link', { name: /Download ZIP/ }));
    const files = unzipSync(zip.bytes);
    expect(Object.keys(files)).toHaveLength(8);
    expect(files['merged.pdf']).toEqual(merged.bytes);

    const row = finished.getByLabel('One row of the file');
    await row.fill('3');
    await finished.getByText('This run has rows 4–9.').waitFor();
    expect(await finished.getByRole('link', { name: /Row as/ }).count()).toBe(0);
    // Rows are counted as in the file.
    await row.fill('5');
    const pdf = await saved(page, finished.getByRole('link', { name: 'Row as PDF' }));
    expect((await pageTexts(pdf.bytes))[0]).toContain('Name of row 5');
    const png = await saved(page, finished.getByRole('link', { name: 'Row as PNG' }));
    expect([...png.bytes.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Earlier runs' }).click();
    const entry = page.getByRole('dialog', { name: 'Earlier runs' }).getByRole('listitem').first();
    await entry.getByText(/one PDF of all rows and one per row, for both sides of the paper/).waitFor();
    await entry.getByRole('link', { name: 'Download merged PDF' }).waitFor();
    await entry.getByRole('button', { name: 'Use these settings again' }).click();
    expect(await output(page, 'Both').isChecked()).toBe(true);
    expect(await bothSides.isChecked()).toBe(true);
  });

  it('all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(editor.browser.faults).toEqual([]);
  });
});

/** Dark pixels of the picture inside of a label of an Avery L7159, which has 3 × 8 labels on A4. */
function inkOf(page: Page, column: number, row: number): Promise<number> {
  const [x, y] = [7.25 + column * 66 + 2, 12.9 + row * 33.9 + 2].map((mm) => (mm / 297) as number);
  return page.evaluate(
    `(() => {
       const canvas = document.querySelector('figure canvas');
       const context = canvas.getContext('2d');
       const unit = canvas.height;
       const { data } = context.getImageData(${x} * unit, ${y} * unit, ${59 / 297} * unit, ${29 / 297} * unit);
       let dark = 0;
       for (let at = 0; at < data.length; at += 4) if (data[at] < 128 && data[at + 3] > 0) dark += 1;
       return dark;
     })()`,
  );
}
