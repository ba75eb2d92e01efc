import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Download, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { readDraftWork } from '../support/editor-drafts.ts';
import { csvRows, openProject, tab } from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';

const PATIENT = { timeout: 60_000 };
const letter = { name: 'letter.pdf', bytes: pagesPdf([{}]) };
/** Too long for a cell: the row fails. */
const TOO_LONG = 'x'.repeat(10_001);

describe('runs as objects', () => {
  const editor = useSignedInEditor();
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const textOf = async (download: Download) => readFile(await download.path(), 'utf8');
  const bothThemes = async (page: Page) => {
    const faults: string[] = [];
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      // Colours change in a short transition.
      await page.evaluate('Promise.all(document.getAnimations().map((it) => it.finished.catch(() => {})))');
      faults.push(...(await accessibilityFaults(page)));
    }
    return faults;
  };

  it('[EDT64][EDT65][EDT66][EDT68][EDT69][EDT70] rows with problems: found before the run, skipped, reported, corrected and retried alone', async () => {
    const page = await editor.openPage();
    const lines = csvRows(12).split('\r\n');
    const broken = lines.map((line, row) =>
      row === 4 || row === 9 ? line.replace(/N-\d+/, TOO_LONG) : line,
    );
    await openProject(page, editor.app.url, letter, { name: 'people.csv', bytes: broken.join('\r\n') });
    await tab(page, 'Data').click();
    for (const column of ['Name', 'Number']) await press(page, `Add ${column} to the page`);
    await page.locator('[data-overlay="text_2"]').waitFor();

    // The options: the choice in words, and the name of the first file as the engine makes it.
    await press(page, 'Run options');
    const options = dialog(page, 'Run options');
    expect(await options.getByLabel('If a row fails').locator('option:checked').textContent()).toBe(
      'Skip failed rows',
    );
    await options.getByLabel('Part 1 of the file name').selectOption({ label: 'Name' });
    await options.getByText('row_1_Name of row 1.pdf').waitFor();
    await options.getByLabel('If a row fails').selectOption('Stop above a share of failed rows');
    await options.getByLabel('Stop above').fill('8');
    expect(await bothThemes(page)).toEqual([]);
    await press(page, 'Done');

    // The check finds both rows before anything is sent; the run would stop, so it offers to skip them.
    await press(page, 'Run');
    const before = dialog(page, 'Before the run');
    await before.getByText('2 of 12 rows have problems').waitFor(PATIENT);
    await before.getByText('Rows 4 and 9.').waitFor();
    await before.getByText('would deliver nothing').waitFor();
    expect((await editor.app.operator.get<{ items: unknown[] }>('/jobs')).body.items).toHaveLength(0);
    expect(await bothThemes(page)).toEqual([]);
    await press(page, 'Fix rows');
    await page.getByRole('grid', { name: 'Rows with problems' }).waitFor(PATIENT);
    await press(page, 'Run');
    await before.getByRole('button', { name: 'Skip failed rows and run' }).click();
    const finished = dialog(page, 'Finished');
    await finished.getByText('10 of 12 documents created').waitFor(PATIENT);
    await finished.getByText('2 rows failed and have no document.').waitFor();
    expect(await bothThemes(page)).toEqual([]);

    // The report names the rows, the column and the value.
    const [report] = await Promise.all([page.waitForEvent('download'), press(page, 'Download report (CSV)')]);
    expect(report.suggestedFilename()).toMatch(/^letter-problems-\d{4}-\d\d-\d\d\.csv$/);
    const [, first = '', second = ''] = (await textOf(report)).split('\r\n');
    expect(first).toMatch(/^"4","Failed, no document","a value is too long","ROW_VALUE_TOO_LONG"/);
    expect(second).toMatch(/^"9",/);
    await page.keyboard.press('Escape');

    // After a reload the run is listed with its inputs, and its rows can be retried with the corrected file.
    type Work = { runs: { result: { failed: number } | null }[] };
    await expect.poll(async () => (await readDraftWork<Work>(page)).runs[0]?.result?.failed, PATIENT).toBe(2);
    await page.reload();
    await press(page, 'Design');
    await page.locator('[data-overlay="text_2"]').waitFor();
    await tab(page, 'Data').click();
    await page.getByText('12 rows · 3 columns').waitFor();
    await page
      .getByLabel('Replace')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });
    // Until the file is read, a retry would send the previous rows.
    await page.getByRole('button', { name: 'Undo: Use the rows of people.csv' }).waitFor();
    await press(page, 'Earlier runs');
    const drawer = dialog(page, 'Earlier runs');
    const entry = drawer.getByRole('listitem').first();
    await entry.getByText('10 created, 2 failed, 0 with notes').waitFor(PATIENT);
    for (const words of ['people.csv, 12 rows', 'Version 1', 'file names with Name', 'Skip failed rows'])
      await entry.getByText(words).waitFor();
    expect(await entry.getByRole('link', { name: /Download ZIP/ }).count()).toBe(1);
    expect(await bothThemes(page)).toEqual([]);
    await entry.getByRole('button', { name: 'Show result' }).click();
    await press(page, 'Retry 2 failed rows');
    await finished.getByText('All 2 documents created').waitFor(PATIENT);
    await finished.getByText('This run repeats rows 4 and 9 of people.csv.').waitFor();
    const [zip] = await Promise.all([
      page.waitForEvent('download'),
      finished.getByRole('link', { name: /Download ZIP/ }).click(),
    ]);
    const files = unzipSync(new Uint8Array(await readFile(await zip.path())));
    expect(Object.keys(files)).toEqual([
      'row_1_file-row-4_Name of row 4.pdf',
      'row_2_file-row-9_Name of row 9.pdf',
      'manifest.json',
    ]);
    const [text] = await pageTexts(files['row_2_file-row-9_Name of row 9.pdf'] ?? new Uint8Array());
    expect(text).toContain('N-9');
    await page.keyboard.press('Escape');

    // Another number of rows: row numbers mean other rows, so nothing can be retried or opened.
    await page
      .getByLabel('Replace')
      .setInputFiles({ name: 'fewer.csv', mimeType: 'text/csv', buffer: Buffer.from(csvRows(5)) });
    await page.getByText('5 rows · 3 columns').waitFor();
    await press(page, 'Earlier runs');
    await expect.poll(() => drawer.getByRole('listitem').count(), PATIENT).toBe(2);
    await drawer.getByRole('listitem').first().getByText('retry, finished').waitFor();
    expect(await drawer.getByRole('button', { name: 'Open failing rows' }).count()).toBe(0);

    // The settings of the first run, whose choice was made in the dialog.
    await drawer.getByRole('button', { name: 'Use these settings again' }).last().click();
    expect(await options.getByLabel('Part 1 of the file name').inputValue()).toBe('column_0');
    expect(await options.getByRole('button', { name: 'Create 5 documents' }).isEnabled()).toBe(true);
  });

  it('[EDT72] fields without a value: named before the run, and accepted until the layout changes', async () => {
    const page = await editor.openPage();
    const rows = { name: 'people.csv', bytes: csvRows(3) };
    await openProject(page, editor.app.url, letter, rows);
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.locator('[data-page="1"]').click({ position: { x: 120, y: 120 } });
    await page.locator('[data-overlay="text_1"]').waitFor();
    await press(page, 'Run');
    const before = dialog(page, 'Before the run');
    await before.getByText('No field uses a column of people.csv').waitFor(PATIENT);
    await before.getByText('All 3 documents would be the same.').waitFor();
    await before.getByText('1 field has its sample value').waitFor();
    expect(await bothThemes(page)).toEqual([]);
    await before.getByRole('button', { name: 'Choose columns' }).click();
    expect(await page.locator('[data-overlay="text_1"]').getAttribute('aria-pressed')).toBe('true');

    await press(page, 'Run');
    await before.getByRole('button', { name: 'Run anyway' }).click();
    await dialog(page, 'Finished').getByText('All 3 documents created').waitFor(PATIENT);
  });

  it('[EDT68] the check before a run is closed: nothing is sent, and there is no run', async () => {
    const page = await editor.openPage();
    const csv = csvRows(3).replace('N-2', TOO_LONG);
    await openProject(page, editor.app.url, letter, { name: 'three.csv', bytes: csv });
    await tab(page, 'Data').click();
    await press(page, 'Add Number to the page');
    await page.locator('[data-overlay="text_1"]').waitFor();
    await press(page, 'Run');
    await dialog(page, 'Before the run').getByText('1 of 3 rows have problems').waitFor(PATIENT);
    await page.keyboard.press('Escape');
    await press(page, 'Earlier runs');
    await dialog(page, 'Earlier runs').getByText('No runs yet').waitFor();
  });

  it('[EDT64] a reload during a run: the run is followed again and shows its result', async () => {
    const page = await editor.openPage();
    await openProject(page, editor.app.url, letter, { name: 'four.csv', bytes: csvRows(4) });
    await tab(page, 'Data').click();
    await press(page, 'Add Name to the page');
    await page.locator('[data-overlay="text_1"]').waitFor();
    // The page receives no events, so for it the job stays open.
    await page.route('**/events*', () => {});
    await press(page, 'Run');
    await dialog(page, 'Running').waitFor(PATIENT);
    type Work = { runs?: { result: object | null }[] };
    await expect.poll(async () => (await readDraftWork<Work>(page)).runs?.length, PATIENT).toBe(1);
    await page.unroute('**/events*');
    await page.reload();
    await page.locator('[data-overlay="text_1"]').waitFor();
    await page.getByRole('button', { name: 'Show result' }).click(PATIENT);
    await dialog(page, 'Finished').getByText('All 4 documents created').waitFor();
    await expect
      .poll(async () => (await readDraftWork<Work>(page)).runs?.[0]?.result, PATIENT)
      .not.toBeNull();
  });

  it('all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(editor.browser.faults).toEqual([]);
  });
});
