import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import type { Listed } from '../support/console-client.ts';
import { type DemoData, makeAccounts, makeDemoData } from '../support/demo-data.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';
import { hiddenRings, openBrowser, sidewaysScrolls, type WebBrowser } from '../support/web-page.ts';

let app: WebApp;
let browser: WebBrowser;
let demo: DemoData;
let delivery: string;
beforeAll(async () => {
  app = await startWebApp();
  demo = await makeDemoData(app.operator, await makeAccounts(app.operator));
  const test = { account: demo.accounts[2], surface: 'bulkfill', url: 'https://hooks.example.com/in' };
  await app.operator.post('/webhook-tests', test);
  delivery = (await app.operator.get<Listed<{ id: string }>>('/deliveries')).body.items[0]?.id ?? '';
  browser = await openBrowser(app.url);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

/** Every screen with data on it, and the text that is visible once it has loaded. */
const screens: readonly [path: () => string, landmark: string][] = [
  [() => '/console/jobs', 'Import subscribers'],
  [() => '/console/jobs?q=nothing-has-this', 'No jobs match these filters'],
  [() => `/console/jobs/${demo.troubledJob}`, 'ROW_VALUE_INVALID'],
  [() => `/console/transfers?account=${encodeURIComponent(demo.accounts[0])}`, 'as CSV'],
  [() => '/console/ingest', 'master/uoms'],
  [() => '/console/ingest?tab=quarantine', 'BK-104'],
  [() => '/console/ingest?tab=items&collection=master%2Fskus', 'BK-100'],
  [() => '/console/ingest?tab=items&collection=master%2Fskus&item=BK-102', 'base_uom'],
  [() => '/console/deliveries', 'bulkfill.test'],
  [() => `/console/deliveries/${delivery}`, 'event_id'],
  [() => `/console/request-keys?key=${demo.conflictKey}`, 'Rejected requests'],
  [() => '/console/keys', 'Ticket printer'],
  [() => '/console/accounts', 'Harbour Clinic'],
  [() => '/console/operators', 'created a key'],
  [() => '/console/usage?account=Harbour%20Clinic', 'This month'],
  [() => '/console/health', 'PostgreSQL'],
  [() => '/console/reference', 'Check that the server is running'],
  [() => '/console/nowhere', 'The console has no page at this address'],
];

/** Collects what `find` returns in light and in dark colours, without reloading the screen. */
async function inBothColours(page: Page, find: () => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Waits for colour transitions only, because a spinner never ends.
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().filter((it) => it instanceof CSSTransition).map((it) => it.finished))',
    );
    found.push(...(await find()).map((fault) => `in ${colorScheme} colours: ${fault}`));
  }
  return found;
}

describe('in light and in dark colours', () => {
  it('every console screen: no accessibility fault, a visible focus, and fits 1024 pixels', async () => {
    await app.signIn(browser.context);
    const page = await browser.context.newPage();
    // With reduced motion, a focus ring would still be growing when it is measured.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.setViewportSize({ width: 1024, height: 768 });
    const faults: string[] = [];
    for (const [path, landmark] of screens) {
      await page.goto(`${app.url}${path()}`);
      await page.getByText(landmark).first().waitFor();
      const found = await inBothColours(page, () => accessibilityFaults(page));
      faults.push(...found.map((fault) => `${path()} ${fault}`));
      const tooWide = await page.evaluate(
        'document.documentElement.scrollWidth > innerWidth || [...document.querySelectorAll("main, table")].some((box) => box.parentElement.scrollWidth > box.parentElement.clientWidth + 1)',
      );
      if (tooWide === true) faults.push(`${path()} is wider than the window`);
      const rings = await inBothColours(page, () => hiddenRings(page));
      faults.push(...rings.map((fault) => `${path()} ${fault}`));
    }
    await page.close();
    expect(faults).toEqual([]);
  });

  it('dialogs and the sign-in: no accessibility fault', async () => {
    await app.signIn(browser.context);
    const page = await browser.context.newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const faults: string[] = [];
    for (const [path, button] of [
      ['/console/keys', 'Create key'],
      ['/console/keys', 'Revoke Ticket printer'],
      ['/console/accounts', 'Create account'],
      ['/console/operators', 'Invite'],
      ['/console/operators', 'Create link for operator'],
      ['/console/operators', 'Revoke session of operator (this session)'],
      ['/console/deliveries', 'Send test'],
      ['/console/ingest?tab=quarantine', 'View BK-104'],
    ] as const) {
      await page.goto(`${app.url}${path}`);
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog').getByRole('button').last().waitFor();
      const found = await inBothColours(page, () => accessibilityFaults(page));
      faults.push(...found.map((fault) => `${button}: ${fault}`));
    }
    await browser.context.clearCookies();
    await page.goto(`${app.url}/console/jobs`);
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    faults.push(...(await inBothColours(page, () => accessibilityFaults(page))));
    await page.close();
    expect(faults).toEqual([]);
  });
});

/** A window of 1280 or 1440 pixels, enlarged (WCAG 2.2, 1.4.4 and 1.4.10). */
const AT_400 = { width: 320, height: 256 };
const PHONE = { width: 390, height: 844 };
const AT_200 = { width: 720, height: 450 };

describe('on a phone', () => {
  const openPhone = async () => {
    await app.signIn(browser.context);
    const page = await browser.context.newPage();
    onTestFinished(() => page.close());
    await page.setViewportSize(PHONE);
    return page;
  };

  it('every screen, also at 400 %: fits the window and only code scrolls sideways; at 200 % everything is visible', async () => {
    const page = await openPhone();
    const wide: string[] = [];
    for (const [path, landmark] of [...screens, [() => '/', 'Drop a PDF here'] as const]) {
      await page.setViewportSize(AT_400);
      await page.goto(`${app.url}${path()}`);
      await page.getByText(landmark).filter({ visible: true }).first().waitFor();
      wide.push(...(await sidewaysScrolls(page)).map((box) => `${path()} ${box}`));
      const room = await page.evaluate('document.querySelector("main").clientHeight');
      if (Number(room) < 128) wide.push(`${path()} has ${room} pixels of height`);
      await page.setViewportSize(PHONE);
      wide.push(...(await sidewaysScrolls(page)).map((box) => `${path()} ${box}`));
      await page.setViewportSize(AT_200);
      const cells = '[...document.querySelectorAll("main > * > :not(details) tbody > tr > *")]';
      const hidden = await page.evaluate(`${cells}.filter((cell) => !cell.checkVisibility()).length`);
      if (hidden !== 0) wide.push(`${path()} leaves out ${hidden} cells`);
    }
    expect(wide).toEqual([]);
  });

  it('a row: a card that shows every column by its name; one button opens the navigation', async () => {
    const page = await openPhone();
    await page.goto(`${app.url}/console/accounts`);
    const card = page.getByRole('row').filter({ hasText: 'Harbour Clinic' });
    await card.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // The columns that the desktop layout shows, including those that a narrower table hides.
    for (const part of [
      card.getByRole('link', { name: 'Usage' }),
      card.getByRole('button', { name: 'Deactivate' }),
    ])
      expect((await part.boundingBox())?.x).toBeLessThan(390);
    const menu = page.getByRole('navigation', { name: 'Console' });
    expect(await menu.getByRole('link', { name: 'Health' }).isVisible()).toBe(false);
    await menu.getByRole('button', { name: 'Accounts' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Health' }).click();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    expect(await menu.getByRole('link', { name: 'Health' }).isVisible()).toBe(false);
    await menu.getByRole('button', { name: 'Health' }).press('Enter');
    await page.keyboard.press('Escape');
    expect(await menu.getByRole('button', { name: 'Health' }).getAttribute('aria-expanded')).toBe('false');
  });
});

it('all screens: no violation of the content security policy, no exception and no request to another host', () => {
  expect(browser.faults).toEqual([]);
});
