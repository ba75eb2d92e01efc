import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { startServer, testSettings } from '../support/http.ts';
import { openBrowser, sidewaysScrolls } from '../support/web-page.ts';

/** The built documentation below a base path, without the rest of the product. */
async function openDocs() {
  const web = { root: '/nowhere', docs: join(import.meta.dirname, '../../build/docs'), fonts: new Map() };
  const server = await startServer({ settings: { ...testSettings, basePath: '/tools' }, web });
  const browser = await openBrowser(server.url);
  onTestFinished(() => browser.close());
  const page = await browser.open(`${server.url}/tools/docs`);
  return { browser, page, url: `${server.url}/tools/docs` };
}

test('[OPS20][OPS21] the search by keyboard: finds a heading and opens it, below a base path', async () => {
  const { browser, page, url } = await openDocs();
  await page.keyboard.press('/');
  await page.keyboard.type('rotate api key');
  const first = page.getByRole('option').first();
  await first.waitFor();
  expect(await first.textContent()).toMatch(/Rotate|rotate/);
  const count = await page.getByRole('option').count();
  expect(await page.getByRole('status').textContent()).toBe(`${count} results`);
  expect(await accessibilityFaults(page)).toEqual([]);
  const selected = page.locator('[role="option"][aria-selected="true"]');
  await page.keyboard.press('ArrowDown');
  expect(await selected.getAttribute('id')).toBe('result-1');
  await page.keyboard.press('ArrowUp');
  const address = await selected.getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/${address}`);
  await page.locator('h1').waitFor();

  // A code that is only in the text is found as well, and a word that no page contains says so.
  await page.keyboard.press('/');
  await page.keyboard.type('EXPORT_FAILED');
  await page
    .getByRole('option', { name: /EXPORT_FAILED/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('listbox').count()).toBe(0);
  await page.getByRole('combobox').fill('zzzyyyxxx');
  await page.getByText('No page contains').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(browser.faults).toEqual([]);
});

test('[OPS20] pages in both themes and on a phone: accessible, without sideways scrolling or outside requests', async () => {
  const { browser, page, url } = await openDocs();
  const faults: string[] = [];
  for (const path of ['', '/guides/run-in-production', '/api/bulk-fill', '/errors#state-conflict'])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(url + path);
      faults.push(...(await accessibilityFaults(page)).map((fault) => `${path} ${colorScheme} ${fault}`));
    }
  expect(faults).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${url}/guides/run-in-production`);
  const wide = (await sidewaysScrolls(page)).filter((box) => !/Table|errors/.test(box));
  expect(wide).toEqual([]);
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Idempotency', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Idempotency' }).waitFor();

  // The choice is that of the web app, and survives the next page.
  const theme = page.getByRole('button', { name: 'Theme: system' });
  await theme.click();
  await page.getByRole('button', { name: 'Theme: light' }).click();
  await page.getByRole('link', { name: /^Next/ }).click();
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  expect(browser.faults).toEqual([]);
});
