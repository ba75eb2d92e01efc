import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient, type Listed } from '../support/console-client.ts';
import {
  type DemoData,
  guests,
  makeAccounts,
  makeDemoData,
  sealDemoPackage,
  sendJob,
} from '../support/demo-data.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';
import { focused, openBrowser, type WebBrowser } from '../support/web-page.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { authority, certificate } from '../support/webhooks.ts';

let app: WebApp;
let browser: WebBrowser;
let demo: DemoData;
let doqlo: Uint8Array;
beforeAll(async () => {
  app = await startWebApp(
    {
      ROWPRESS_WEBHOOK_ALLOW: 'hooks.test',
      ROWPRESS_WEBHOOK_RETRY_SECONDS: '3600',
      ROWPRESS_SYNC_WAIT_MS: '0',
    },
    { webhookCa: authority.ca, resolve: async (host) => (host === 'hooks.test' ? ['127.0.0.1'] : []) },
  );
  demo = await makeDemoData(app.operator, await makeAccounts(app.operator));
  doqlo = await sealDemoPackage(app.operator);
  browser = await openBrowser(app.url);
  await app.signIn(browser.context);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

const open = async (path: string): Promise<Page> => {
  const page = await browser.open(`${app.url}${path}`);
  onTestFinished(() => page.close());
  return page;
};
const send = (rows: readonly object[], fields: Record<string, string> = {}) =>
  sendJob(app.url, demo.keys.bulkfill, doqlo, rows, { fields });

describe('signing in', () => {
  it('a link: signs in once; a screen without a session leads to the sign-in', async () => {
    const { body } = await app.operator.post<{ link: string }>('/invitations', { name: 'Second operator' });
    await browser.context.clearCookies();
    const page = await open('/console/jobs');
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    expect(await page.getByText('rowpress login-link').count()).toBe(1);

    const first = await browser.open(body.link);
    await first.getByRole('heading', { name: 'One PDF, every row' }).waitFor();
    expect(first.url()).toBe(`${app.url}/`);
    await first.getByRole('button', { name: 'Signed in as Second operator' }).click();
    await first.getByRole('button', { name: 'Sign out' }).click();
    await first.getByRole('link', { name: 'Sign in' }).waitFor();
    await first.close();

    const again = await browser.open(body.link);
    await again.getByRole('alert').filter({ hasText: 'This link does not work' }).waitFor();
    await again.close();
    await app.signIn(browser.context);
  });

  it('a session that was ended elsewhere: the sign-in appears', async () => {
    const { body } = await app.operator.post<{ link: string }>('/invitations', { name: 'Third operator' });
    await browser.context.clearCookies();
    const page = await browser.open(`${body.link}&next=/console/jobs`);
    onTestFinished(() => page.close());
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    const { items } = (await app.operator.get<Listed<{ id: string; name: string }>>('/operators')).body;
    await app.operator.delete(`/operators/${items.find(({ name }) => name === 'Third operator')?.id}`);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    await app.signIn(browser.context);
  });
});

describe('access', () => {
  it('sessions and unused links: listed, revoked one by one, and all others at once', async () => {
    const { body } = await app.operator.post<{ link: string }>('/invitations', { name: 'Fourth operator' });
    await app.operator.post('/invitations', { name: 'Never came' });
    await new ConsoleClient({ url: app.url }).signIn(body.link);
    const page = await open('/console/operators');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Withdraw the invitation of Never came' }).click();
    await dialog.getByRole('button', { name: 'Withdraw invitation' }).click();
    await page.getByText('Invitation withdrawn').first().waitFor();
    await page.getByRole('button', { name: 'Revoke session of Fourth operator' }).click();
    await dialog.getByRole('button', { name: 'Revoke session' }).click();
    await page.getByText('Session revoked').first().waitFor();
    // The lists reload after the message.
    for (const name of ['Withdraw the invitation of Never came', 'Revoke session of Fourth operator'])
      await page.getByRole('button', { name }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Create link for Fourth operator' }).click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByRole('heading', { name: 'Link for Fourth operator created' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke link for Fourth operator' }).waitFor();
    expect(await page.getByText('this session').count()).toBe(1);
  });
});

describe('keys', () => {
  it('a key: created, shown once, works, and is rejected when revoked', async () => {
    const page = await open('/console/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('From the browser');
    await dialog.getByLabel('Account').selectOption(demo.accounts[2]);
    await dialog.getByLabel('Lifetime').selectOption('90');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('This key is shown once').waitFor();
    const key = (await dialog.locator('pre').first().textContent()) ?? '';
    expect(key).toMatch(/^doqlo_bfexp_\w+\.\w+$/);
    const ask = () =>
      fetch(`${app.url}/v1/bulkfill/export-jobs`, { headers: { authorization: `Bearer ${key}` } });
    expect((await ask()).status).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await page.getByText(key).count()).toBe(0);

    await page.getByRole('button', { name: 'Revoke From the browser' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    const row = page.getByRole('row').filter({ hasText: 'From the browser' });
    await row.getByText('revoked').waitFor();
    expect((await ask()).status).toBe(403);
  });
});

describe('jobs', () => {
  it('a running job: shows its progress and can be cancelled', async () => {
    const page = await open('/console/jobs');
    await page.getByText('Live', { exact: true }).waitFor();
    const { body } = await send(guests(60_000));
    // The update arrived through the stream, without a reload.
    const bar = page.getByRole('progressbar', { name: `Progress of job ${body.job_id}` });
    await bar.waitFor();
    await expect
      .poll(async () => Number(await bar.getAttribute('value')), { timeout: 60_000 })
      .toBeGreaterThan(0);
    await page.getByRole('row').filter({ has: bar }).getByRole('link').click();
    await page.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('Cancelled').waitFor();
    const answer = await app.operator.get<{ state: string; cancelled: boolean }>(`/jobs/${body.job_id}`);
    expect(answer.body).toMatchObject({ state: 'failed', cancelled: true });
  });

  it('a job id after the slash key: finds the job, which lists its rows with problems', async () => {
    const page = await open('/console/health');
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(demo.troubledJob);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Rows with problems' }).waitFor();
    await page.getByRole('cell', { name: 'ROW_VALUE_INVALID' }).first().waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(await file.failure()).toBeNull();
  });
});

describe('webhooks', () => {
  it('are redelivered: the receiver gets the same bytes again', async () => {
    const receiver = await startReceiver(certificate, 500, 200);
    const { body } = await send(guests(3), {
      delivery_mode: 'webhook',
      webhook_url: `https://hooks.test:${receiver.port}/in`,
      webhook_secret: 'a shared secret',
    });
    await expect.poll(() => receiver.received.length).toBe(1);
    const page = await open(`/console/jobs/${body.job_id}`);
    await page.getByRole('table', { name: 'Webhooks of this job' }).getByRole('link').click();
    const attempts = page.getByRole('table', { name: 'Attempts, newest first' });
    await attempts.getByText('500', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await attempts.getByText('200', { exact: true }).waitFor();
    await page.getByText('Delivered').first().waitFor();
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
  });

  it('a test event: shows the answer of the receiver', async () => {
    const receiver = await startReceiver(certificate, 204);
    const page = await open('/console/deliveries');
    await page.getByRole('button', { name: 'Send test' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Receiver').fill(`https://hooks.test:${receiver.port}/t`);
    await dialog.getByLabel('Account').selectOption(demo.accounts[0]);
    await dialog.getByRole('button', { name: 'Send the test' }).click();
    await dialog.getByRole('status').getByText('Test event delivered').waitFor();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('quarantine', () => {
  it('a released item: becomes readable; others are discarded together', async () => {
    const page = await open('/console/ingest?tab=quarantine');
    await page.getByRole('button', { name: 'View BK-104' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page.getByRole('button', { name: 'View BK-104' }).waitFor({ state: 'detached' });
    const item = await fetch(`${app.url}/wms-ingest/v1/master/skus/BK-104`, {
      headers: { authorization: `Bearer ${demo.keys.ingest}` },
    });
    expect([item.status, await item.json()]).toMatchObject([200, { state: 'ACTIVE' }]);
    await page.getByLabel('Select BK-109').check();
    await page.getByLabel('Select BK-114').check();
    await page.getByRole('button', { name: 'Discard 2' }).press('Enter');
    await page.getByText('No items in quarantine').waitFor();
    // The buttons for the selection are gone.
    await expect.poll(() => focused(page)).not.toBe('body');
  });
});

describe('the idempotency inspector', () => {
  it('a request key: shows its job, and what differed in a rejected request', async () => {
    const page = await open('/console/request-keys');
    await page.getByLabel('Request key').fill(demo.conflictKey);
    await page.getByRole('button', { name: 'Inspect' }).click();
    const conflicts = page.getByRole('table', { name: 'Conflicts' });
    await conflicts.getByText('max_failed_row_percent').waitFor();
    expect(await conflicts.getByText('rows', { exact: true }).count()).toBe(1);
    await page.getByRole('link', { name: /^[0-9a-f-]{36}$/ }).click();
    await page.getByRole('heading', { name: 'Fill documents' }).waitFor();
  });
});

describe('by keyboard alone', () => {
  const reaches = (page: Page, place: string | RegExp) =>
    expect.poll(() => focused(page)).toMatch(typeof place === 'string' ? new RegExp(`^${place}$`) : place);

  it('the first Tab: offers a link past the navigation; a screen starts at its heading', async () => {
    const page = await open('/console/jobs');
    await page.getByRole('rowheader').first().waitFor();
    await page.keyboard.press('Tab');
    await reaches(page, 'button Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await reaches(page, 'select Surface');
    await page.getByRole('rowheader').getByRole('link').first().press('Enter');
    await page.getByRole('link', { name: 'All jobs' }).waitFor();
    await reaches(page, /^h1 /);
    await page.goBack();
    await reaches(page, 'h1 Jobs');
    await page.getByRole('rowheader').getByRole('link').first().focus();
    await page.keyboard.press('/');
    await reaches(page, /^input Search/);
    await page.keyboard.press('Escape');
    await reaches(page, /^a /);
    await page.getByLabel('State').selectOption('failed');
    const said = page.locator('[aria-live=polite]');
    await said.getByText(/^Jobs: \d+ rows?$/).waitFor();
  });

  it('Enter in a field of a dialog: submits it; the focus returns, even from a second dialog', async () => {
    const page = await open('/console/keys');
    await page.getByRole('button', { name: 'Create key' }).press('Enter');
    await reaches(page, 'h2 Create key');
    const dialog = page.getByRole('dialog');
    // With several accounts, none is selected automatically.
    await dialog.getByLabel('Account').selectOption(demo.accounts[0]);
    await dialog.getByLabel('Name').fill('x'.repeat(201));
    await dialog.getByLabel('Name').press('Enter');
    await dialog.getByRole('alert').waitFor();
    const name = dialog.getByLabel('Name');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByRole('alert').getAttribute('id')).toBe(
      await name.getAttribute('aria-describedby'),
    );
    await name.fill('By keyboard');
    await name.press('Enter');
    await reaches(page, 'h2 Key created');
    await dialog.getByRole('button', { name: 'Copy the key' }).last().press('Enter');
    // Everything outside an open dialog is inert, so the announcement must be inside it.
    await dialog.locator('[aria-live=polite]').getByText('Copied the key').waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await reaches(page, 'button Create key');

    const revoke = page.getByRole('button', { name: 'Revoke By keyboard' });
    await revoke.press('Enter');
    const told = `document.getElementById(document.querySelector('dialog').getAttribute('aria-describedby'))`;
    await expect.poll(() => page.evaluate(`${told}.textContent`)).toContain('stops working at once');
    await dialog.getByRole('button', { name: 'Go back' }).press('Enter');
    await reaches(page, 'button Revoke By keyboard');
    await revoke.press('Enter');
    await dialog.getByRole('button', { name: 'Revoke key' }).press('Enter');
    await revoke.waitFor({ state: 'detached' });
    await reaches(page, /^tr By keyboard/);
  });

  it('a result shown in a dialog: stays until it is closed', async () => {
    const page = await open('/console/operators');
    await page.getByRole('button', { name: 'Invite' }).press('Enter');
    await reaches(page, 'input Name');
    await page.keyboard.type('A guest');
    await page.keyboard.press('Enter');
    await reaches(page, 'h2 Link for A guest created');
    await page.keyboard.press('Escape');
    await reaches(page, 'button Invite');
  });

  it('Show more: the focus moves to the first new row', async () => {
    for (let n = 0; n < 26; n += 1) await app.operator.post('/accounts', { name: `More ${n}` });
    const page = await open('/console/operators');
    const audit = page.getByRole('table', { name: 'Audit log' });
    await audit.getByRole('rowheader').first().waitFor();
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await expect.poll(() => audit.getByRole('rowheader').count()).toBeGreaterThan(25);
    await reaches(page, /^tr /);
    const rows = 'document.activeElement.parentElement.rows';
    expect(await page.evaluate(`[...${rows}].indexOf(document.activeElement)`)).toBe(25);
    // Reordering a list removes the focus from the elements that move.
    await page.evaluate('document.activeElement.parentElement.prepend(document.activeElement)');
    await expect.poll(() => page.evaluate(`[...${rows}].indexOf(document.activeElement)`)).toBe(0);
  });

  it('tabs: arrow keys switch them; a view that replaces a list gets the focus', async () => {
    const page = await open('/console/ingest?tab=quarantine');
    await page.getByRole('tab', { name: 'Quarantine' }).press('End');
    await reaches(page, /^button Items/);
    await page.getByRole('tabpanel', { name: 'Items' }).getByRole('rowheader').first().waitFor();
    await page.keyboard.press('Home');
    await page.getByRole('tabpanel', { name: 'Collections' }).waitFor();
    await page.getByRole('link', { name: 'master/skus' }).press('Enter');
    await page.getByRole('button', { name: 'History of BK-100' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('tabpanel');
    await page.getByRole('button', { name: 'History of BK-100' }).press('Enter');
    await page.getByRole('button', { name: /^← All items/ }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('tabpanel');
  });
});

it('all screens: no violation of the content security policy, no exception and no request to another host', () => {
  expect(browser.faults).toEqual([]);
});
