import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { readDraftWork } from '../support/editor-drafts.ts';
import { chooseFiles, csvRows, openProject, showPreview, tab } from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';

const letter = { name: 'letter.pdf', bytes: pagesPdf([{}]) };
const PATIENT = { timeout: 60_000 };
/** No font has this character. */
const UNKNOWN = '\u{10ffff}';

describe('preview, check of all rows and corrections', () => {
  const editor = useSignedInEditor();

  const addColumn = async (page: Page, name: string, id: string) => {
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: `Add ${name} to the page` }).click();
    await page.locator(`[data-overlay="${id}"]`).waitFor();
  };
  const openLetter = async (csv: string): Promise<Page> => {
    const page = await editor.openPage();
    await openProject(page, editor.app.url, letter, { name: 'people.csv', bytes: csv });
    await addColumn(page, 'Name', 'text_1');
    return page;
  };
  const digest = async (page: Page) => (await page.getByTestId('sha256').textContent()) ?? '';
  const check = (page: Page, count: number) =>
    page.getByRole('button', { name: `Check all ${count} rows` }).click();

  it('[EDT120] another project is opened: its preview never shows a document of the previous one', async () => {
    const page = await openLetter(csvRows(3));
    await showPreview(page);
    const earlier = await digest(page);
    await page.getByRole('link', { name: 'Rowpress start page' }).click();
    await page.getByText('Drop a PDF here').waitFor();
    await chooseFiles(
      page,
      { name: 'bill.pdf', bytes: pagesPdf([{}, {}]) },
      { name: 'b.csv', bytes: csvRows(2) },
    );
    await page.getByRole('button', { name: 'Open in the editor' }).click();
    await addColumn(page, 'Town', 'text_1');
    await page.evaluate(`window.seen = [];
      new MutationObserver(() => {
        const shown = document.querySelector('[data-testid=sha256]')?.textContent;
        if (shown) window.seen.push(shown);
      }).observe(document.body, { childList: true, subtree: true, characterData: true });`);
    await showPreview(page);
    await expect.poll(() => digest(page)).not.toBe(earlier);
    expect(await page.evaluate('window.seen')).not.toContain(earlier);
  });

  it('[EDT121][EDT122][EDT123] a check with notes: survives Design, counts verdicts and leads to the field', async () => {
    const page = await openLetter(csvRows(5).replace('Name of row 4', UNKNOWN));
    await showPreview(page);
    await check(page, 5);
    const summary = page.getByRole('region', { name: 'All rows' });
    await summary.getByText('4 fine').waitFor();
    await summary.getByText('1 with notes').waitFor();

    // A visit to Design changes nothing; a changed layout does, and undo restores the result.
    await page.getByRole('button', { name: 'Design', exact: true }).click();
    await page.locator('[data-overlay="text_1"]').waitFor();
    await showPreview(page);
    await summary.getByText('1 with notes').waitFor();
    await page.getByRole('button', { name: 'Design', exact: true }).click();
    await addColumn(page, 'Town', 'text_2');
    await showPreview(page);
    expect(await summary.getByText('with notes').count()).toBe(0);
    await page.getByRole('button', { name: /^Undo: Add Town/ }).click();
    await summary.getByText('1 with notes').waitFor();

    await page.getByRole('button', { name: /Next problem/ }).click();
    await page.getByRole('heading', { name: 'Row 4', exact: true }).waitFor();
    await page.getByText('With notes', { exact: true }).waitFor();
    const mark = page.locator('[data-highlight="text_1"]');
    await mark.waitFor();
    await expect.poll(() => isInView(page, '[data-highlight="text_1"]')).toBe(true);
  });

  it('[EDT125][EDT126][EDT127] 300 rows with 12 problems: are fixed and run by keyboard alone', async () => {
    const lines = csvRows(300).split('\r\n');
    const bad = [7, 19, 44, 45, 80, 120, 121, 150, 201, 250, 299, 300];
    // Half of the names are too long for their box, half of the towns have a character that no font has.
    for (const [index, row] of bad.entries())
      lines[row] =
        index % 2 === 0
          ? (lines[row] ?? '').replace(`Name of row ${row}`, 'very long name '.repeat(200))
          : (lines[row] ?? '').replace(`Town of row ${row}`, UNKNOWN);
    const page = await openLetter(lines.join('\r\n'));
    await addColumn(page, 'Town', 'text_2');
    await showPreview(page);
    const keys = page.keyboard;
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await keys.press('Enter');
    };
    await press('Check all 300 rows');
    await page.getByRole('button', { name: 'Fix 12 rows' }).waitFor();
    await press('Fix 12 rows');
    await page.getByText('0 of 12 fixed').waitFor();
    await page.getByRole('grid', { name: 'Rows with problems' }).waitFor();

    for (const [index, row] of bad.entries()) {
      const [label, column] = index % 2 === 0 ? ['Name', 'column_0'] : ['Town', 'column_1'];
      // The sheet starts at the first problem.
      if (index > 0) await keys.press(index % 2 === 0 ? 'F8' : 'Alt+ArrowDown');
      const cell = page.locator(`[data-cell="${row} ${column}"]`);
      await cell.and(page.locator('[data-active][aria-invalid="true"]')).waitFor();
      await page.locator(`[data-highlight="text_${index % 2 === 0 ? 1 : 2}"]`).waitFor();
      await keys.press('F2');
      await page.getByRole('textbox', { name: `${label} in row ${row}` }).waitFor();
      await keys.press('Control+a');
      await keys.type(`Fixed ${row}`);
      await keys.press('Enter');
      await page.getByText(`${index + 1} of 12 fixed`).waitFor();
    }
    await page.getByText('All rows are fine.').waitFor();

    // Undo and redo go through the history of the project.
    await keys.press('Control+z');
    await page.getByText('11 of 12 fixed').waitFor();
    await page.locator('[data-cell="300 column_1"][aria-invalid="true"]').waitFor();
    await keys.press('Control+Shift+z');
    await page.getByText('12 of 12 fixed').waitFor();

    await press('Run');
    await page.getByRole('link', { name: /Download ZIP/ }).waitFor(PATIENT);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('link', { name: /Download ZIP/ })
        .focus()
        .then(() => keys.press('Enter')),
    ]);
    const files = unzipSync(new Uint8Array(await readFile(await download.path())));
    for (const [index, row] of bad.entries()) {
      const [text = ''] = await pageTexts(files[`row_${row}.pdf`] ?? new Uint8Array());
      expect(text).toContain(`Fixed ${row}`);
      expect(text).toContain(index % 2 === 0 ? `Town of row ${row}` : `Name of row ${row}`);
    }
  });

  it('[EDT124][EDT128][EDT129][EDT131][EDT132] corrections: same values at once, kept, exported and offered to a new file', async () => {
    const csv = csvRows(6).replaceAll(/Name of row [246]/g, UNKNOWN);
    const page = await openLetter(csv);
    await showPreview(page);
    await check(page, 6);
    const saved = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ]);
      return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')];
    };
    await page.getByRole('button', { name: 'Fix 3 rows' }).click();
    const sheet = page.getByRole('grid', { name: 'Rows with problems' });
    await sheet.waitFor();
    const [reportName, report] = await saved('Problem report');
    expect(reportName).toBe('people-problems.csv');
    expect(report).toContain(`"4","Name","${UNKNOWN}","GLYPH_MISSING","No font has U+10FFFF.","Text F·1"`);
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect(await accessibilityFaults(page)).toEqual([]);
    }

    // Escape cancels; Tab keeps the text and edits the next cell; the same value is fixed in all rows.
    const first = page.locator('[data-cell="2 column_0"]');
    await first.and(page.locator('[data-active]')).waitFor();
    await page.keyboard.press('F8');
    await page.keyboard.press('Shift+F8');
    await page.keyboard.type('Nobody');
    await page.keyboard.press('Escape');
    await first.and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.getByRole('textbox', { name: 'Town in row 2' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 of 3 fixed').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Fix 2 more rows with the same text' }).click();
    await page.getByText('3 of 3 fixed').waitFor();
    await page.getByRole('button', { name: 'Undo: Correct Name in 2 rows' }).click();
    await page.getByText('1 of 3 fixed').waitFor();
    await page.getByRole('button', { name: 'Redo: Correct Name in 2 rows' }).click();
    await page.getByText('3 of 3 fixed').waitFor();
    expect(await saved('Corrected CSV')).toEqual(['people-corrected.csv', csv.replaceAll(UNKNOWN, 'Ada')]);

    // They survive a reload, and the fields on the page show them.
    type Work = { rowsReading: { patches?: { cells: readonly unknown[] } } };
    await expect
      .poll(async () => (await readDraftWork<Work>(page)).rowsReading.patches?.cells.length)
      .toBe(3);
    await page.reload();
    await page.locator('[data-overlay="text_1"]').waitFor();
    await tab(page, 'Data').click();
    await page.getByLabel('Row to show').fill('4');
    await page.getByLabel('Row to show').press('Enter');
    await page.locator('[data-overlay="text_1"]').getByText('Ada').waitFor();
    await page.getByRole('button', { name: 'All rows' }).click();
    await page.getByRole('dialog').locator('td[data-corrected]').nth(2).waitFor();
    await page.keyboard.press('Escape');

    // Another file drops them and offers them, because it has the same rows and columns. One cell has another text there.
    const replace = (bytes: string) =>
      page
        .getByLabel('Replace')
        .setInputFiles({ name: 'next.csv', mimeType: 'text/csv', buffer: Buffer.from(bytes) });
    await replace(csv.replace(UNKNOWN, 'Kurt'));
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText('3 corrections of the previous file are not applied to next.csv.').waitFor();
    await page.locator('[data-overlay="text_1"]').getByText('Name of row 1').waitFor();
    await page.getByRole('button', { name: 'Apply them' }).click();
    await messages.getByText(/^1 correction removed/).waitFor();
    await showPreview(page);
    await check(page, 6);
    await page.getByText('6 rows checked, no problems.').waitFor();
    await page.getByRole('button', { name: 'Show 2 corrected rows' }).waitFor();
  });

  it('all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(editor.browser.faults).toEqual([]);
  });
});

/** Whether the element is completely inside the scrolling desk. */
const isInView = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`(() => {
    const it = document.querySelector('${selector}').getBoundingClientRect();
    const desk = document.querySelector('[aria-label="The filled document"]').getBoundingClientRect();
    return it.top >= desk.top && it.bottom <= desk.bottom && it.width > 0;
  })()`);
