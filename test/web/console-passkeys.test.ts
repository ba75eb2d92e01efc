import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';
import { openBrowser, sidewaysScrolls, type WebBrowser } from '../support/web-page.ts';

let app: WebApp;
let local: string;
let browser: WebBrowser;
beforeAll(async () => {
  app = await startWebApp();
  // Browsers create passkeys only for host names.
  local = app.url.replace('127.0.0.1', 'localhost');
  browser = await openBrowser(local);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

/** Gives the page a device with a fingerprint reader that stores passkeys. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function openSignedIn(name: string, path: string): Promise<Page> {
  const { link } = (await app.operator.post<{ link: string }>('/invitations', { name })).body;
  await browser.context.clearCookies();
  const page = await browser.open(`${link.replace(app.url, local)}&next=${path}`);
  onTestFinished(() => page.close());
  return page;
}

it('[PPL21][PPL29] a passkey: added, renamed, used to sign in, removed, and then refused', async () => {
  const page = await openSignedIn('Ada', '/console/operators');
  await page.getByRole('heading', { name: 'People' }).waitFor();
  const { cdp, authenticatorId } = await addAuthenticator(page);
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await passkeys.getByText('No passkeys yet').waitFor();
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Office laptop');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await passkeys.getByRole('button', { name: 'Rename passkey Office laptop' }).click();
  await dialog.getByLabel('Name').fill('Old laptop');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await passkeys.getByRole('button', { name: 'Remove passkey Old laptop of Ada' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await sidewaysScrolls(page)).toEqual([]);

  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
  await signIn.waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await signIn.click();
  await page.getByRole('button', { name: 'Signed in as Ada' }).waitFor();

  await page.goto(`${local}/console/operators`);
  await passkeys.getByRole('button', { name: 'Remove passkey Old laptop of Ada' }).click();
  await dialog.getByRole('button', { name: 'Remove passkey' }).click();
  await passkeys.getByText('No passkeys yet').waitFor();
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toHaveLength(1);

  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await signIn.click();
  await page
    .getByRole('alert')
    .filter({ hasText: /Not signed in.*not stored here or was removed/ })
    .waitFor();
  expect(browser.faults).toEqual([]);
});

it('[PPL29] a device that does not confirm: a sentence instead of an error name', async () => {
  await browser.context.clearCookies();
  const page = await browser.open(`${local}/console/jobs`);
  onTestFinished(() => page.close());
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').filter({ hasText: 'Nothing was confirmed' }).waitFor();
  expect(browser.faults).toEqual([]);
});

it('[PPL29] an IP address: the sign-in leads to localhost instead of a dead button', async () => {
  const page = await browser.open(`${app.url}/sign-in`);
  onTestFinished(() => page.close());
  await page.getByText('Passkeys need a host name, and 127.0.0.1 is an IP address.').waitFor();
  expect(await page.getByRole('link', { name: local }).getAttribute('href')).toBe(`${local}/sign-in`);
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
});
