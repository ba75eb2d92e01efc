import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { startIdentityProvider, type TestProvider } from '../support/identity-provider.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';
import { openBrowser, type WebBrowser } from '../support/web-page.ts';

const LABEL = 'Sign in with Example ID';
let provider: TestProvider;
let app: WebApp;
let browser: WebBrowser;
beforeAll(async () => {
  // Another site than 127.0.0.1, as a provider usually is.
  provider = await startIdentityProvider('localhost');
  app = await startWebApp({ ...provider.env, ROWPRESS_OIDC_LABEL: LABEL });
  provider.allow(`${app.url}/sign-in`);
  provider.people.set('ada', { email: 'ada@example.com', email_verified: true });
  browser = await openBrowser(app.url);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  await provider?.stop();
});

/** Opens a page without a session at Rowpress or at the provider. */
async function open(path: string): Promise<Page> {
  await browser.context.clearCookies();
  const page = await browser.open(`${app.url}${path}`);
  onTestFinished(() => page.close());
  return page;
}

/** The colours of the buttons with these texts. */
const coloursOf = (page: Page, ...texts: string[]): Promise<string[]> =>
  page.evaluate(`${JSON.stringify(texts)}
    .map((text) => [...document.querySelectorAll('button')].find((button) => button.textContent === text))
    .map((button) => getComputedStyle(button).backgroundColor)`);

/** Fills in the form of the provider. */
async function logIn(page: Page, login: string): Promise<void> {
  await page.getByLabel('Login').fill(login);
  await page.getByRole('button', { name: 'Continue' }).click();
}

it('[PPL39] a console page without a session: the provider signs in, and the page opens', async () => {
  await app.operator.post('/invitations', { name: 'ada@example.com' });
  const page = await open('/console/keys?state=live');
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await page.getByRole('button', { name: LABEL }).click();
  await logIn(page, 'ada');
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  expect(page.url()).toBe(`${app.url}/console/keys?state=live`);
  await page.getByRole('button', { name: 'Signed in as ada@example.com' }).waitFor();
});

it('[PPL41] single sign-on and passkeys: one button leads, the one of the provider', async () => {
  // Browsers create passkeys only for host names.
  const page = await browser.open(`${app.url.replace('127.0.0.1', 'localhost')}/sign-in`);
  onTestFinished(() => page.close());
  const passkey = 'Sign in with a passkey';
  await Promise.all([LABEL, passkey].map((name) => page.getByRole('button', { name }).waitFor()));
  const [first, second] = await coloursOf(page, LABEL, passkey);
  expect(first).not.toBe(second);
});

it('[PPL39] a person whom nobody invited: the sign-in screen says whom to ask, and keeps no code', async () => {
  provider.people.set('eve', { email: 'eve@example.com', email_verified: true });
  const page = await open('/sign-in');
  await page.getByRole('button', { name: LABEL }).click();
  await logIn(page, 'eve');
  const alert = page.getByRole('alert').filter({ hasText: 'You are not signed in' });
  await alert.filter({ hasText: 'Nobody has invited eve@example.com. Ask an operator' }).waitFor();
  expect(page.url()).toBe(`${app.url}/sign-in`);
  // The button returns for another attempt.
  await page.getByRole('button', { name: LABEL }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

it('[PPL39] a provider that does not respond: a sentence on the screen, and links are explained', async () => {
  provider.isDown = true;
  app.clock.advance(660_000);
  const page = await open('/sign-in');
  await page.getByRole('button', { name: LABEL }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'cannot read the discovery document' });
  await alert.filter({ hasText: 'One-time links still work.' }).waitFor();
  expect(await page.getByText('rowpress login-link').count()).toBe(1);
});
