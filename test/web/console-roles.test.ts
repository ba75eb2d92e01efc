import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { ConsoleClient, type Listed } from '../support/console-client.ts';
import { putSession, startWebApp, type WebApp } from '../support/web-app.ts';
import { openBrowser, sidewaysScrolls, type WebBrowser } from '../support/web-page.ts';

let app: WebApp;
let browser: WebBrowser;
beforeAll(async () => {
  app = await startWebApp();
  await app.operator.post('/accounts', { name: 'Acme' });
  await app.operator.post('/accounts', { name: 'Other' });
  browser = await openBrowser(app.url);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

/** Opens a page as a new person with this role. */
async function openAs(role: string, path: string) {
  const { link } = (
    await app.operator.post<{ link: string }>('/invitations', {
      name: `Our ${role}`,
      role,
      ...(['designer', 'runner'].includes(role) && { account: 'Acme' }),
    })
  ).body;
  const client = new ConsoleClient(app);
  expect((await client.signIn(link)).status).toBe(200);
  await putSession(browser.context, client);
  return open(path);
}

async function open(path: string) {
  const page = await browser.open(`${app.url}${path}`);
  onTestFinished(() => page.close());
  return page;
}

const screensOf = async (page: Awaited<ReturnType<typeof open>>) => {
  const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
  await links.first().waitFor();
  return links.allTextContents();
};

it('[PPL10] a runner: sees the screens of a runner, and a page of operators says who can open it', async () => {
  const page = await openAs('runner', '/console/keys');
  await page.getByText('Only operators and auditors can open this page').waitFor();
  await page.getByText('Your role is runner.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await screensOf(page)).toEqual(['Jobs', 'People', 'API reference']);
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('heading', { name: 'Your access' }).waitFor();
  await page.getByRole('button', { name: 'Revoke session of Our runner (this session)' }).waitFor();
  expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  expect(await page.getByRole('table', { name: 'Audit log' }).count()).toBe(0);
});

it('[PPL10] an auditor: sees every screen and no button that changes something', async () => {
  const page = await openAs('auditor', '/console/accounts');
  await page.getByRole('table', { name: 'Accounts' }).getByText('Other').first().waitFor();
  expect(await screensOf(page)).toHaveLength(11);
  expect(await page.getByRole('button', { name: /Create|activate/i }).count()).toBe(0);
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('table', { name: 'Audit log' }).waitFor();
  await page.getByRole('table', { name: 'People' }).getByText('Our auditor').waitFor();
  expect(await page.getByRole('button', { name: /Invite|Remove|Create|Change role/ }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /Revoke/ }).allTextContents()).toEqual(['Revoke']);
});

it('[PPL6][PPL10] an operator: invites a designer, and gives another role', async () => {
  await app.signIn(browser.context);
  const page = await open('/console/operators');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Dora');
  await dialog.getByLabel('Role').selectOption('designer');
  expect(await dialog.getByRole('button', { name: 'Create link' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Account').selectOption({ label: 'Acme' });
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const people = page.getByRole('table', { name: 'People' });
  await people.getByText('Designer, Acme').waitFor();
  await page.getByRole('button', { name: 'Change role of Our auditor' }).click();
  await dialog.getByLabel('Role').selectOption('runner');
  await dialog.getByLabel('Account').selectOption({ label: 'Other' });
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await people.getByText('Runner, Other').waitFor();
  expect(await sidewaysScrolls(page)).toEqual([]);
  const { items } = (await app.operator.get<Listed<{ name: string; role: string }>>('/operators')).body;
  expect(items.find(({ name }) => name === 'Our auditor')?.role).toBe('runner');
  expect(browser.faults).toEqual([]);
});
