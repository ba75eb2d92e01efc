import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openProject, showPreview, tab } from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';

const CSV = 'Name;Amount\nAda;1.234\nKurt;0,5\nGrace;n/a\n';

describe('formats and codes in the editor', () => {
  let app: WebApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    app = await startWebApp();
    await app.operator.post('/accounts', { name: 'main' });
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await app.signIn(context);
    page = await context.newPage();
    await openProject(
      page,
      app.url,
      { name: 'letter.pdf', bytes: pagesPdf([{}]) },
      { name: 'sums.csv', bytes: new TextEncoder().encode(CSV) },
    );
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  it('[FILL151] a column with decimal commas: the page shows the number that a job would print', async () => {
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: 'Add Amount to the page' }).click();
    const amount = page.locator('[data-overlay="text_1"]');
    await amount.getByText('1.234').waitFor();
    await page.getByLabel('Write the value as').selectOption('number');
    await amount.getByText('1,234.00').waitFor();
    await page.getByLabel('Numbers in the data are written').selectOption('.');
    await amount.getByText('1.23').waitFor();
    await page.getByLabel('Numbers in the data are written').selectOption('');
    await amount.getByText('1,234.00').waitFor();
  });

  it('[FILL157] text below the bars: switched on in the panel and shown on the page', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('b');
    await page.locator('[data-page="1"]').click({ position: { x: 300, y: 480 } });
    const code = page.locator('[data-overlay="barcode_1"]');
    await code.waitFor();
    await page.getByLabel('Text below the bars').click();
    await code.locator('text').filter({ hasText: 'LOT-0001' }).waitFor();
    await page.getByRole('combobox', { name: 'Symbology' }).fill('datamatrix');
    await page.getByRole('combobox', { name: 'Symbology' }).press('Enter');
    await expect.poll(() => page.getByLabel('Text below the bars').count()).toBe(0);
    await expect.poll(() => code.locator('text').count()).toBe(0);
  });

  it('[FILL150][FILL153] the check of all rows: names unread values and codes too small to scan', async () => {
    await page.keyboard.press('Escape');
    await page.locator('[data-overlay="barcode_1"]').click();
    await page.getByRole('textbox', { name: 'Width' }).fill('6');
    await page.getByRole('textbox', { name: 'Width' }).press('Enter');
    await page
      .getByText(/scanners need 0\.19 mm/)
      .first()
      .waitFor();
    await showPreview(page);
    await page.getByRole('button', { name: 'Check all 3 rows' }).click();
    await page.getByRole('cell', { name: 'not a value of its format' }).waitFor();
    await page.getByRole('cell', { name: 'code too small to scan' }).waitFor();
  });
});
