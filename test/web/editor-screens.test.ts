import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { chooseFiles, showPreview, tab } from '../support/editor-story.ts';
import { formPdf } from '../support/form-source.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';
import { openBrowser, sidewaysScrolls, type WebBrowser } from '../support/web-page.ts';

/** Start, data, preview, save and run screens: keyboard, screen reader and dark mode. */
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
      // Colours are final only after every transition has ended.
      await page.evaluate(
        'Promise.allSettled(document.getAnimations().map((animation) => animation.finished))',
      );
      faults.push(...(await accessibilityFaults(page)));
    }
    return faults;
  };

  it('the start screen when empty, with facts and with an error: no accessibility fault', async () => {
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

  it('the data panel, the table, the preview and the dialogs: no accessibility fault', async () => {
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
    await page.getByRole('status').getByText('5 rows checked').waitFor();
    expect(await faultsInBothThemes()).toEqual([]);
    await page.getByRole('button', { name: 'Changes since the last save' }).click();
    expect(await faultsInBothThemes()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run options' }).click();
    await page.getByText('Run from a script').click();
    expect(await faultsInBothThemes()).toEqual([]);
  });

  it('a phone: every panel can be opened, and what is not possible is stated', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const wide: string[] = [];
    const look = async (what: string) => {
      wide.push(...(await sidewaysScrolls(page)).map((box) => `${what}: ${box}`));
    };
    await page.goto(app.url);
    await page.getByText('Drop a PDF here').waitFor();
    await look('start');
    await chooseFiles(page, { name: `${'long name '.repeat(20)}.pdf`, bytes: formPdf() });
    await page.getByRole('button', { name: 'Place fields myself' }).waitFor();
    await look('facts');
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.locator('[data-page="1"] canvas').waitFor();
    expect(await page.getByText('Placing fields needs a wider window').isVisible()).toBe(true);
    await look('pages');
    await page.getByRole('button', { name: 'Fields and data' }).click();
    await page
      .getByRole('tabpanel')
      .getByRole('button', { name: /^Name F·/ })
      .waitFor();
    await look('fields');
    await tab(page, 'Data').click();
    await page.getByText('5 rows · 5 columns').waitFor();
    await look('data');
    await page.getByRole('button', { name: 'Properties' }).click();
    await page.getByRole('complementary', { name: 'Inspector' }).waitFor();
    await look('properties');
    expect(await accessibilityFaults(page)).toEqual([]);
    await showPreview(page);
    await look('preview');
    await page.getByRole('button', { name: 'Run options' }).click();
    await page.getByLabel('Call a webhook').check();
    await look('run');
    expect(wide).toEqual([]);
  });

  it('1024 pixels: every tool and both panels; below 900: one panel at a time', async () => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.locator('[data-page="1"] canvas').waitFor();
    await tab(page, 'Data').click();
    await page.getByText('5 rows · 5 columns').waitFor();
    expect(await page.getByText('Placing fields needs a wider window').isVisible()).toBe(false);
    expect(await sidewaysScrolls(page)).toEqual([]);
    // Playwright rejects a click if another element covers the button.
    await page.getByRole('button', { name: 'Run options' }).click();
    await page.getByRole('dialog', { name: 'Run options' }).getByRole('button', { name: 'Done' }).click();
    const fields = page.getByRole('complementary', { name: 'Fields and data' });
    const properties = page.getByRole('complementary', { name: 'Inspector' });
    await fields.waitFor();
    await properties.waitFor();
    // 1440 pixels at 200 %.
    await page.setViewportSize({ width: 720, height: 450 });
    const open = async () => [await fields.isVisible(), await properties.isVisible()];
    await expect.poll(open).toEqual([true, false]);
    await page.getByRole('button', { name: 'Properties' }).click();
    await expect.poll(open).toEqual([false, true]);
  });

  it('the header in windows of several widths, with a long account name: nothing covers anything', async () => {
    const account = 'The regional office of a company with a long name';
    await app.operator.post('/accounts', { name: account });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(app.url);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.getByLabel('Account that jobs run under').selectOption(account);
    await page.getByText('Unsaved changes').waitFor();
    const covered = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('header :is(a, button, input, select)')]
        .filter((it) => it.checkVisibility() && it.closest('[popover], dialog') === null && !it.matches('[href^="#"]'))
        .flatMap((it) => {
          const { left, right, top, height } = it.getBoundingClientRect();
          return [left + 3, right - 3].flatMap((x) => {
            const seen = document.elementFromPoint(x, top + height / 2);
            if (seen !== null && (it.contains(seen) || seen.contains(it))) return [];
            return [(it.getAttribute('aria-label') ?? it.textContent) + ' by ' + (seen?.getAttribute('aria-label') ?? seen?.outerHTML.slice(0, 80))];
          });
        })`);
    for (const width of [1440, 1439, 1366, 1280, 1181, 1180, 1024, 1023, 900]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(covered, { message: `${width} pixels` }).toEqual([]);
    }
  });

  it('all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(browser.faults).toEqual([]);
  });
});
