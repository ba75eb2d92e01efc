import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { chooseFiles, showPreview, tab } from '../support/editor-story.ts';
import { formPdf } from '../support/form-source.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';
import { openBrowser, type WebBrowser } from '../support/web-page.ts';

/** Start, data, preview, saving and running, as people see them who use a keyboard, a reader or the dark. */
describe('the screens around the canvas', () => {
  let app: WebApp;
  let browser: WebBrowser;
  let page: Page;
  beforeAll(async () => {
    app = await startWebApp();
    await app.operator.post('/accounts', { name: 'main' });
    browser = await openBrowser(app.url);
    await app.signIn(browser.context);
    page = await browser.open(app.url);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const faultsInBothThemes = async () => {
    const faults: string[] = [];
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      faults.push(...(await accessibilityFaults(page)));
    }
    return faults;
  };

  it('has no fault on the start screen, with nothing, with facts and with a refusal', async () => {
    await page.getByText('Drop a PDF here').waitFor();
    expect(await faultsInBothThemes()).toEqual([]);
    await chooseFiles(page, { name: 'form.pdf', bytes: formPdf() });
    await page.getByRole('button', { name: 'Use the form’s own fields' }).waitFor();
    expect(await faultsInBothThemes()).toEqual([]);
    await page.goto(app.url);
    await chooseFiles(page, { name: 'broken.pdf', bytes: 'no' });
    await page.getByRole('alert').waitFor();
    expect(await faultsInBothThemes()).toEqual([]);
  });

  it('has no fault in the data panel, the table, the preview and the dialogs', async () => {
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await tab(page, 'Data').click();
    await page.getByText('5 rows · 5 columns').waitFor();
    expect(await faultsInBothThemes()).toEqual([]);
    await page.getByRole('button', { name: 'All rows' }).click();
    await page.getByRole('dialog').getByText('Kurt Gödel').waitFor();
    expect(await faultsInBothThemes()).toEqual([]);
    await page.keyboard.press('Escape');
    await showPreview(page);
    await page.getByRole('button', { name: 'Check all 5 rows' }).click();
    await page.getByText('5 rows checked').waitFor();
    expect(await faultsInBothThemes()).toEqual([]);
    await page.getByRole('button', { name: 'Changes since the last save' }).click();
    expect(await faultsInBothThemes()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Run it from a script').click();
    expect(await faultsInBothThemes()).toEqual([]);
  });

  it('breaks no policy, throws nothing and asks nobody else', () => {
    expect(browser.faults).toEqual([]);
  });
});
