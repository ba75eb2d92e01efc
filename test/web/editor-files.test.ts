import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choiceForm, RADIO } from '../support/choice-form.ts';
import { launchChromium } from '../support/chromium.ts';
import {
  chooseFiles,
  csvRows,
  digestOfRow,
  exportPackage,
  openProject,
  showPreview,
  tab,
} from '../support/editor-story.ts';
import { formPdf } from '../support/form-source.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';

const DIST = fileURLToPath(new URL('../../web/dist', import.meta.url));
const PATIENT = { timeout: 60_000 };
const letter = { name: 'letter.pdf', bytes: pagesPdf([{}, {}]) };

/** The engine's worker, which a test can make hang or crash on a given call. */
const BREAKABLE_ENGINE = `
  globalThis.engines = { started: 0, breakAt: null };
  globalThis.Worker = class extends Worker {
    constructor(address, options) {
      super(address, options);
      if (options?.name === 'engine') engines.started += 1;
    }
    postMessage(message, ...rest) {
      const [call, how] = engines.breakAt ?? [];
      if (call === undefined || message?.call?.name !== call) return super.postMessage(message, ...rest);
      engines.breakAt = null;
      this.terminate();
      if (how === 'dead') this.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }));
    }
  };`;

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

  it('the sample: opens without an upload, with its rows and its fields', async () => {
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.locator('[data-overlay="qr_1"]').waitFor();
    await tab(page, 'Data').click();
    await page.getByText('5 rows · 5 columns').waitFor();
    await page.locator('[data-overlay="text_1"]').getByText('Ada Lovelace').waitFor();
  });

  it('keeps unsaved work over a reload: fields, rows and the row on show', async () => {
    await openProject(page, app.url, letter, { name: 'people.csv', bytes: csvRows(9) });
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: 'Add Town to the page' }).click();
    await page.getByRole('button', { name: 'Next row' }).click();
    await page.getByText('Town of row 2').first().waitFor();
    const address = page.url();
    await expect.poll(() => kept(page, 'previewRow'), PATIENT).toBe(2);
    await page.reload();
    expect(page.url()).toBe(address);
    await page.locator('[data-overlay="text_1"]').waitFor();
    await tab(page, 'Data').click();
    await page.getByText('9 rows · 3 columns').waitFor();
    await expect.poll(() => page.getByLabel('Row to show').inputValue(), PATIENT).toBe('2');
    await page.goto(app.url);
    await page.getByRole('link', { name: /^letter/ }).waitFor();
  });

  it('a draft: deleted only after a confirmation; removed rows can be restored', async () => {
    await openProject(page, app.url, letter, { name: 'people.csv', bytes: csvRows(4) });
    await page.getByLabel('Project name').fill('To be deleted');
    await page.getByLabel('Project name').press('Enter');
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: 'Remove the rows' }).click();
    await page.getByText('Drop a CSV or Excel file').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await page.getByText('4 rows · 3 columns').waitFor();

    await expect.poll(() => kept(page, 'name'), PATIENT).toBe('To be deleted');
    await page.goto(app.url);
    const card = page.getByRole('link', { name: /^To be deleted/ });
    await card.waitFor();
    const ask = async () => {
      await page.getByRole('button', { name: 'Delete To be deleted' }).click();
      return page.getByRole('dialog', { name: 'Delete To be deleted?' });
    };
    await (await ask()).getByRole('button', { name: 'Keep project' }).click();
    expect(await card.count()).toBe(1);
    await (await ask()).getByRole('button', { name: 'Delete', exact: true }).click();
    await card.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: /^letter/ }).waitFor();
    expect(await card.count()).toBe(0);
  });

  it('replaces an engine that falls silent or dies: nothing is lost but the call that hung', async () => {
    const failing = await context.newPage();
    await failing.clock.install();
    await failing.addInitScript(BREAKABLE_ENGINE);
    await openProject(failing, app.url, letter, { name: 'people.csv', bytes: csvRows(4) });
    await tab(failing, 'Data').click();
    await failing.getByRole('button', { name: 'Add Town to the page' }).click();
    await showPreview(failing);
    const digest = await digestOfRow(failing, 3);
    const row = failing.getByLabel('Row to show');

    await failing.evaluate("engines.breakAt = ['previewRow', 'silent']");
    await row.fill('2');
    await row.press('Enter');
    await expect.poll(() => failing.evaluate('engines.breakAt'), PATIENT).toBeNull();
    await failing.clock.fastForward(46_000);
    await failing.getByText('This took too long and was stopped').waitFor();
    expect(await digestOfRow(failing, 3)).toBe(digest);
    expect(await failing.evaluate('engines.started')).toBe(2);

    await failing.evaluate("engines.breakAt = ['previewRow', 'dead']");
    await row.fill('2');
    await row.press('Enter');
    await failing.getByText('The engine stopped').waitFor();
    expect(await digestOfRow(failing, 3)).toBe(digest);
    expect(await failing.evaluate('engines.started')).toBe(3);
    await failing.close();
  });

  it('the fields of a form: used with one click', async () => {
    await page.goto(app.url);
    await chooseFiles(page, { name: 'form.pdf', bytes: formPdf() });
    const facts = page.getByRole('region', { name: 'About this PDF' });
    expect(await facts.textContent()).toContain('Signed');
    await facts.getByRole('button', { name: 'Use the form’s own fields' }).click();
    await page.locator('[data-page="1"] canvas').waitFor();
    await showPreview(page);
    expect(await page.getByTestId('sha256').textContent()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('[FILL101] a form field with choices: the panel lists them', async () => {
    const twice = { name: 'twice', states: ['0', '1'], flags: RADIO, opt: '(Yes)(Yes)' };
    await page.goto(app.url);
    await chooseFiles(page, { name: 'choices.pdf', bytes: choiceForm([twice]) });
    const facts = page.getByRole('region', { name: 'About this PDF' });
    await facts.getByRole('button', { name: 'Use the form’s own fields' }).click();
    await page.locator('[data-page="1"] canvas').waitFor();
    await page.getByRole('button', { name: /^twice/ }).click();
    await page.getByText('Choices: Yes, Yes#2').waitFor();
  });

  it('broken, encrypted and unknown files: rejected with what to do, and nothing is lost', async () => {
    await page.goto(app.url);
    const alert = page.locator('main').getByRole('alert');
    await chooseFiles(page, { name: 'broken.pdf', bytes: 'this is plain text' });
    await expect.poll(() => alert.first().textContent(), PATIENT).toContain('broken.pdf cannot be used');
    await chooseFiles(page, { name: 'locked.pdf', bytes: await encrypted() });
    await expect.poll(() => alert.first().textContent(), PATIENT).toContain('remove the password');
    await chooseFiles(page, { name: 'broken.doqlo', bytes: 'PK nothing' });
    await expect.poll(() => alert.first().textContent(), PATIENT).toContain('broken.doqlo cannot be opened');
    await chooseFiles(page, { name: 'rows.csv', bytes: 'a,b' });
    await expect.poll(() => alert.first().textContent(), PATIENT).toContain('Open a PDF first');
    await chooseFiles(page, { name: 'notes.docx', bytes: 'x' });
    await expect.poll(() => alert.first().textContent(), PATIENT).toContain('not a file the editor knows');

    await openProject(page, app.url, letter, { name: 'people.csv', bytes: csvRows(9) });
    await tab(page, 'Data').click();
    await page.getByText('9 rows · 3 columns').waitFor();
    await page
      .getByLabel('Replace')
      .setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n"never closed') });
    await expect.poll(() => alert.first().textContent(), PATIENT).toContain('bad.csv cannot be read');
    await page.getByText('9 rows · 3 columns').waitFor();
  });

  it('a saved project with a changed PDF: opens and lists the differences', async () => {
    await openProject(page, app.url, letter, { name: 'people.csv', bytes: csvRows(2) });
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: 'Add Name to the page' }).click();
    const saved = await exportPackage(page);
    const packed = { name: 'letter.doqlo', bytes: await readFile(await saved.path()) };
    await page.goto(app.url);
    await chooseFiles(page, packed);
    await page.getByText('A project file holds no PDF').waitFor();
    await chooseFiles(page, { name: 'newer.pdf', bytes: pagesPdf([{}], '/MediaBox[0 0 500 700]') });
    const told = page.getByRole('dialog', { name: /differs from the one/ });
    await told.waitFor();
    const words = await told.textContent();
    for (const line of ['not the file', /has 1 pages, not \d/, 'Page 1 is 500 x 700 points large, not '])
      expect(words).toMatch(line);
    await told.getByRole('button', { name: 'Continue' }).click();
    await page.locator('[data-overlay="text_1"]').waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.locator('[data-overlay="text_1"]').click();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Changes since the last save' }).click();
    await page.getByText('Text F·1 moved 1 pt right').waitFor();
    await page.keyboard.press('Escape');
  });

  it('100,000 rows of 20 columns: open without freezing the page, and scroll to the last', async () => {
    await openProject(page, app.url, letter);
    await tab(page, 'Data').click();
    // A busy page misses timer ticks; the longest gap between two ticks is the longest freeze.
    await page.evaluate(
      `globalThis.pauses = [];
       let last = performance.now();
       setInterval(() => { const now = performance.now(); pauses.push(now - last); last = now; }, 10);`,
    );
    const longestPause = () => page.evaluate('Math.max(...pauses.splice(0))') as Promise<number>;
    const folder = await mkdtemp(join(tmpdir(), 'rowpress-rows-'));
    const file = join(folder, 'many.csv');
    await writeFile(file, csvRows(100_000, 20));
    const began = performance.now();
    await page.getByLabel('Choose a file').setInputFiles(file);
    await page.getByText('100,000 rows · 20 columns').waitFor();
    const opened = performance.now() - began;
    const pause = await longestPause();
    console.log(
      `100,000 rows opened in ${Math.round(opened)} ms; longest pause of the page ${Math.round(pause)} ms`,
    );
    // Reading the file on the main thread would be one gap of nearly the whole duration.
    expect(pause).toBeLessThan(opened / 2);
    // Control: the timer detects a deliberate freeze.
    await page.evaluate('for (const end = performance.now() + 300; performance.now() < end; );');
    await expect.poll(longestPause, PATIENT).toBeGreaterThan(250);
    await page.getByRole('button', { name: 'All rows' }).click();
    const area = page.getByRole('dialog').getByRole('region', { name: 'Rows' });
    await area.evaluate((element) => element.scrollTo(element.scrollWidth, element.scrollHeight));
    await page.getByText('17/100000').waitFor();
    expect(await page.locator('table tr').count()).toBeLessThan(120);
    await rm(folder, { recursive: true });
  });
});

async function encrypted(): Promise<Uint8Array> {
  const document = await PDFDocument.load(letter.bytes);
  document.encrypt({ userPassword: 'secret', ownerPassword: 'owner' });
  return document.save();
}

/** Returns a member of the stored draft of the open project. */
function kept(page: Page, member: 'name' | 'previewRow'): Promise<unknown> {
  return page.evaluate(
    `new Promise((resolve, reject) => {
       const opening = indexedDB.open('rowpress');
       opening.onerror = () => reject(opening.error);
       opening.onsuccess = () => {
         const id = location.pathname.split('/').pop();
         const asked = opening.result.transaction('drafts').objectStore('drafts').get(id + '/work');
         asked.onsuccess = () => { opening.result.close(); resolve(asked.result?.${member}); };
       };
     })`,
  );
}

describe('the first load', () => {
  /** Everything a first visit to a project fetches before the page is visible: pdf.js included, the engine excluded. */
  it('the first load: at most 700 kB compressed', async () => {
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

/** The files that the engine's worker fetches after the page has loaded. */
const isEngine = (name: string) => /^engine-|\.(ttf|otf|wasm)$/.test(name);
