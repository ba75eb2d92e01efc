import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { chooseFiles, csvRows, openProject, showPreview, tab } from '../support/editor-story.ts';
import { formPdf } from '../support/form-source.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';

const DIST = fileURLToPath(new URL('../../web/dist', import.meta.url));
const letter = { name: 'letter.pdf', bytes: pagesPdf([{}, {}]) };

describe('files in the editor', () => {
  let app: WebApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    app = await startWebApp();
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
    await app.signIn(context);
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  it('opens the sample without an upload, with its rows and its fields', async () => {
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.locator('[data-overlay="qr_1"]').waitFor();
    await tab(page, 'Data').click();
    await page.getByText('5 rows · 5 columns').waitFor();
    expect(await page.locator('[data-overlay="text_1"]').textContent()).toContain('Ada Lovelace');
  });

  it('keeps unsaved work over a reload: fields, rows and the row on show', async () => {
    await openProject(page, app.url, letter, { name: 'people.csv', bytes: csvRows(9) });
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: 'Add Town to the page' }).click();
    await page.getByRole('button', { name: 'Next row' }).click();
    await page.getByText('Town of row 2').first().waitFor();
    const address = page.url();
    await page.reload();
    expect(page.url()).toBe(address);
    await page.locator('[data-overlay="text_1"]').waitFor();
    await tab(page, 'Data').click();
    await page.getByText('9 rows · 3 columns').waitFor();
    await expect.poll(() => page.getByLabel('Row to show').inputValue()).toBe('2');
    await page.goto(app.url);
    await page.getByRole('link', { name: /^letter/ }).waitFor();
  });

  it('uses the form’s own fields in one click', async () => {
    await page.goto(app.url);
    await chooseFiles(page, { name: 'form.pdf', bytes: formPdf() });
    const facts = page.getByRole('region', { name: 'About this PDF' });
    expect(await facts.textContent()).toContain('Signed');
    await facts.getByRole('button', { name: 'Use the form’s own fields' }).click();
    await page.locator('[data-page="1"] canvas').waitFor();
    await showPreview(page);
    expect(await page.getByTestId('sha256').textContent()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('refuses broken, encrypted and foreign files with words that help, and loses nothing', async () => {
    await page.goto(app.url);
    const alert = page.getByRole('alert');
    await chooseFiles(page, { name: 'broken.pdf', bytes: 'this is no PDF at all' });
    await expect.poll(() => alert.textContent()).toContain('broken.pdf cannot be used');
    await chooseFiles(page, { name: 'broken.doqlo', bytes: 'PK nothing' });
    await expect.poll(() => alert.textContent()).toContain('broken.doqlo cannot be opened');
    await chooseFiles(page, { name: 'rows.csv', bytes: 'a,b' });
    await expect.poll(() => alert.textContent()).toContain('A PDF comes first');
    await chooseFiles(page, { name: 'notes.docx', bytes: 'x' });
    await expect.poll(() => alert.textContent()).toContain('not a file the editor knows');

    await openProject(page, app.url, letter, { name: 'people.csv', bytes: csvRows(9) });
    await tab(page, 'Data').click();
    await page.getByText('9 rows · 3 columns').waitFor();
    await page
      .getByLabel('Replace')
      .setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n"never closed') });
    await expect.poll(() => alert.textContent()).toContain('bad.csv cannot be read');
    await page.getByText('9 rows · 3 columns').waitFor();
  });

  it('opens a saved project over a changed PDF, lists the differences and goes on', async () => {
    await openProject(page, app.url, letter, { name: 'people.csv', bytes: csvRows(2) });
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: 'Add Name to the page' }).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ]);
    const packed = { name: 'letter.doqlo', bytes: await readFile(await saved.path()) };
    await page.goto(app.url);
    await chooseFiles(page, packed);
    await page.getByText('A project file holds no PDF').waitFor();
    await chooseFiles(page, { name: 'newer.pdf', bytes: pagesPdf([{}], '/MediaBox[0 0 500 700]') });
    const told = page.getByRole('dialog', { name: /differs from the one/ });
    await told.waitFor();
    const words = await told.textContent();
    for (const line of ['not the file', 'another number of pages', 'Page 1 has another size'])
      expect(words).toContain(line);
    await told.getByRole('button', { name: 'Go on' }).click();
    await page.locator('[data-overlay="text_1"]').waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.locator('[data-overlay="text_1"]').click();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Changes since the last save' }).click();
    await page.getByText('Text F·1 moved 1 pt right').waitFor();
    await page.keyboard.press('Escape');
  });

  it('opens 100,000 rows of 20 columns without freezing the page, and scrolls to the last', async () => {
    await openProject(page, app.url, letter);
    await tab(page, 'Data').click();
    await page.evaluate(
      `globalThis.longTasks = [];
       new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((entry) => entry.duration)))
         .observe({ entryTypes: ['longtask'] });`,
    );
    await page
      .getByLabel('Choose a file')
      .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from(csvRows(100_000, 20)) });
    await page.getByText('100,000 rows · 20 columns').waitFor();
    const tasks = (await page.evaluate('longTasks')) as number[];
    console.log(`long tasks while 100,000 rows opened: ${tasks.map(Math.round).join(', ') || 'none'} ms`);
    // Reading the file on the page's own thread would be one task of many seconds.
    expect(Math.max(0, ...tasks)).toBeLessThan(2_000);
    await page.getByRole('button', { name: 'All rows' }).click();
    const area = page.getByRole('region', { name: 'Rows' });
    await area.evaluate((element) => element.scrollTo(element.scrollWidth, element.scrollHeight));
    await page.getByText('Extra 17 of row 100000').waitFor();
    expect(await page.locator('table tr').count()).toBeLessThan(120);
  });
});

describe('the first load', () => {
  /** Everything a first visit to a project fetches before its page is seen, pdf.js included; the engine is not. */
  it('is at most 700 kB compressed', async () => {
    const assets = readdirSync(join(DIST, 'assets'));
    const app = await startWebApp();
    const browser = await launchChromium();
    try {
      const page = await (await browser.newContext()).newPage();
      const fetched = new Set<string>();
      page.on('request', (request) => fetched.add(new URL(request.url()).pathname));
      await openProject(page, app.url, letter);
      const loaded = assets.filter((name) => fetched.has(`/assets/${name}`) && !isEngine(name));
      const sizes = loaded.map((name) => gzipSync(readFileSync(join(DIST, 'assets', name))).length);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      console.log(`first load: ${Math.round(total / 1000)} kB gz in ${loaded.length} files`);
      expect(loaded.some((name) => name.startsWith('pdf.worker'))).toBe(true);
      expect(total).toBeLessThan(700_000);
    } finally {
      await browser.close();
      await app.stop();
    }
  });
});

/** What the engine's worker fetches for itself, after the page is there. */
const isEngine = (name: string) =>
  /^(engine-worker|fill-calls|bwip|harfbuzz|read-workbook)|\.(ttf|otf|wasm)$/.test(name);
