import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Browser, BrowserContext, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import {
  csvRows,
  digestOfRow,
  exportPackage,
  openProject,
  showPreview,
  tab,
} from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';

const ROWS = 20;

/** The complete flow of a first-time user: from two files to a ZIP. */
describe('from a PDF and a spreadsheet to a ZIP', () => {
  let app: WebApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    app = await startWebApp();
    await app.operator.post('/accounts', { name: 'main' });
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
    context.on('weberror', (error) => faults.push(error.error().message));
    await app.signIn(context);
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const bytesOf = async (download: Download) => new Uint8Array(await readFile(await download.path()));
  const zipAfterRun = async () => {
    const link = page.getByRole('link', { name: /Download ZIP/ });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    return unzipSync(await bytesOf(download));
  };

  it('a PDF and a spreadsheet: dropped, placed, aligned, undone, mapped, previewed, corrected, saved and run; the ZIP has the text', async () => {
    await openProject(
      page,
      app.url,
      { name: 'letter.pdf', bytes: pagesPdf([{}]) },
      { name: 'people.csv', bytes: csvRows(ROWS) },
    );
    await tab(page, 'Data').click();
    await page.getByText('20 rows · 3 columns').waitFor();

    // A column dragged onto the page becomes a field that shows the row's value.
    const paper = page.locator('[data-page="1"]');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Name of row 1' })
      .dragTo(paper, { targetPosition: { x: 200, y: 200 } });
    const name = page.locator('[data-overlay="text_1"]');
    await name.waitFor();
    expect(await name.getAttribute('aria-label')).toContain('column Name');
    await page.getByRole('button', { name: 'Add Town to the page' }).click();
    await page.locator('[data-overlay="text_2"]').waitFor();

    // Align both, undo, redo.
    const left = async (id: string) => (await page.locator(`[data-overlay="${id}"]`).boundingBox())?.x;
    const before = await left('text_2');
    await page.keyboard.press('Escape');
    await page.locator('[data-page="1"]').click({ position: { x: 10, y: 10 } });
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Align and distribute' }).click();
    await page.getByRole('button', { name: 'Align left' }).click();
    await expect.poll(() => left('text_2')).toBe(await left('text_1'));
    await page.keyboard.press('Control+z');
    await expect.poll(() => left('text_2')).toBe(before);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => left('text_2')).toBe(await left('text_1'));

    // A barcode with a fixed value that its symbology cannot encode blocks saving and links to the field.
    await page.keyboard.press('b');
    await paper.click({ position: { x: 300, y: 480 } });
    await page.locator('[data-overlay="barcode_1"]').waitFor();
    await page.getByRole('combobox', { name: 'Symbology' }).fill('ean13');
    await page.getByRole('combobox', { name: 'Symbology' }).press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const refused = page.getByRole('dialog', { name: 'Not saved yet' });
    await refused.waitFor();
    expect(await refused.textContent()).toContain('Barcode BC·1');
    await refused.getByRole('button', { name: 'Go to field' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('4006381333931');
    await page.getByRole('textbox', { name: 'Text' }).press('Enter');

    // The preview of row 3 shows its digest; the server returns the same digest below.
    await showPreview(page);
    const digests: string[] = [];
    for (let row = 1; row <= ROWS; row += 1) digests.push(await digestOfRow(page, row));
    expect(new Set(digests).size).toBe(ROWS);
    await digestOfRow(page, 3);
    await page.getByRole('button', { name: 'Check all 20 rows' }).click();
    await page.getByText('20 rows checked, no problems.').waitFor();

    const saved = await exportPackage(page);
    expect(saved.suggestedFilename()).toBe('letter.doqlo');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect([...unzippedNames(await bytesOf(saved))]).toEqual(['layout.json', 'seal.json']);

    // One click: the rows are checked, sent and filled.
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const files = await zipAfterRun();
    const manifest = JSON.parse(new TextDecoder().decode(files['manifest.json'])) as {
      row_results: { sha256: string }[];
    };
    expect(manifest.row_results.map(({ sha256 }) => sha256)).toEqual(digests);
    const [text] = await pageTexts(files['row_3.pdf'] ?? new Uint8Array());
    expect(text).toContain('Name of row 3');
    expect(text).toContain('Town of row 3');
    expect(faults).toEqual([]);
  });

  it('the same run: the same job; other rows: another job', async () => {
    const jobs = async () => (await app.operator.get<{ items: unknown[] }>('/jobs')).body.items.length;
    expect(await jobs()).toBe(1);
    await page.getByRole('button', { name: 'New run' }).click();
    await page.getByRole('button', { name: 'Create 20 documents' }).click();
    await page.getByRole('link', { name: /Download ZIP/ }).waitFor();
    expect(await jobs()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('link', { name: /Download ZIP/ }).waitFor();
    expect(await jobs()).toBe(1);
    await page.getByRole('button', { name: 'New run' }).click();
    await page.getByLabel('First row').fill('5');
    await page.getByLabel('Last row').fill('6');
    await page.getByRole('button', { name: 'Create 2 documents' }).click();
    const files = await zipAfterRun();
    expect(await jobs()).toBe(2);
    // The job counts its rows from 1; the names also have the rows of the file.
    const [text] = await pageTexts(files['row_1_file-row-5.pdf'] ?? new Uint8Array());
    expect(text).toContain('Name of row 5');
  });

  it('[EDT122] a failed row of a run: opens at its highlighted field', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Design', exact: true }).click();
    await tab(page, 'Fields').click();
    await page.locator('[data-overlay="barcode_1"]').click();
    await page.getByRole('button', { name: /^Column$/ }).click();
    await page.getByRole('combobox', { name: 'Column', exact: true }).selectOption('column_0');
    await page.getByRole('button', { name: 'Run options' }).click();
    await page.getByLabel('Last row').fill('20');
    await page.getByRole('button', { name: 'Create 16 documents' }).click();
    await page.getByRole('button', { name: 'Run anyway' }).click();
    const open = page.getByRole('button', { name: 'Open row 7' });
    await open.click();
    await page.getByRole('heading', { name: 'Row 7', exact: true }).waitFor();
    await page.locator('[data-highlight="barcode_1"]').waitFor();
    await page.getByRole('button', { name: 'Edit Barcode BC·1 in Design' }).click();
    await page.locator('[data-overlay="barcode_1"][aria-pressed="true"]').waitFor();
  });
});

const unzippedNames = (bytes: Uint8Array) => new Set(Object.keys(unzipSync(bytes)).sort());
