import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Delivery } from '#console/contract/deliveries.ts';
import { accessibilityFaults } from '../support/axe.ts';
import type { Listed } from '../support/console-client.ts';
import {
  type DemoData,
  guests,
  makeAccounts,
  makeDemoData,
  sealDemoPackage,
  sendJob,
} from '../support/demo-data.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';
import { openBrowser, type WebBrowser } from '../support/web-page.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { authority, certificate } from '../support/webhooks.ts';

let app: WebApp;
let browser: WebBrowser;
let demo: DemoData;
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
  browser = await openBrowser(app.url);
  await app.signIn(browser.context);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

const open = async (path: string) => {
  const page = await browser.open(`${app.url}${path}`);
  onTestFinished(() => page.close());
  return page;
};

it('[CON63] health with failing webhooks and failed jobs: names them and leads to the filtered lists', async () => {
  const receiver = await startReceiver(certificate, 500);
  const fields = {
    delivery_mode: 'webhook',
    webhook_url: `https://hooks.test:${receiver.port}/in`,
    webhook_secret: 'a shared secret',
  };
  const doqlo = await sealDemoPackage(app.operator);
  for (let n = 0; n < 2; n += 1) await sendJob(app.url, demo.keys.bulkfill, doqlo, guests(n + 1), { fields });
  const failing = async () =>
    (await app.operator.get<Listed<Delivery>>('/deliveries?state=failing')).body.items;
  await expect.poll(async () => (await failing()).length).toBe(2);
  const [lost] = await failing();
  await app.operator.post(`/deliveries/${lost?.id}/redeliver`);
  await expect.poll(async () => (await failing()).length).toBe(1);

  const page = await open('/console/health');
  await page.getByText('1 webhook delivery was given up in the last 24 hours').waitFor();
  await page.getByText('1 webhook delivery is failing').waitFor();
  expect(await page.getByText('No problems found').count()).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'FAILED_ROW_THRESHOLD_EXCEEDED' }).click();
  const jobs = page.getByRole('table', { name: 'Jobs' });
  await jobs.getByRole('rowheader').first().waitFor();
  expect(await jobs.getByRole('rowheader').count()).toBe(1);
  await page.goBack();
  await page.getByRole('link', { name: 'Show given-up deliveries' }).click();
  await page.getByRole('table', { name: 'Webhook deliveries' }).getByText('Given up').waitFor();
  expect(await page.getByLabel('State').inputValue()).toBe('exhausted');
});

it('[CON64] [CON66] a shortened id in the job list: finds the job, whose page names its inputs and retries its failed rows', async () => {
  const page = await open('/console/jobs');
  const search = page.getByRole('searchbox', { name: 'Job id, request, key or error' });
  await search.focus();
  await page.getByText('Part of an error message').waitFor();
  await search.fill(`${demo.troubledJob.slice(0, 4)}…${demo.troubledJob.slice(-8)}`);
  const rows = page.getByRole('table', { name: 'Jobs' }).getByRole('rowheader');
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole('link').click();

  const inputs = page.getByRole('table', { name: 'Inputs' });
  await inputs.getByRole('row', { name: /source\.pdf Source PDF 1 page/ }).waitFor();
  await inputs.getByRole('row', { name: /Rows 40 rows/ }).waitFor();
  await page.getByRole('table', { name: 'Rows with problems' }).getByRole('rowheader').first().waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Retry failed rows' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('A new job fills only the rows that failed.').waitFor();
  await dialog.getByRole('button', { name: 'Retry failed rows' }).click();
  await page.getByRole('link', { name: 'Open the new job' }).click();
  await expect.poll(() => page.url()).not.toContain(demo.troubledJob);
  await page.getByRole('row', { name: /Rows 4 rows/ }).waitFor();
});

it('[CON69] a change of plan: asks first, and says where the account is already over', async () => {
  const page = await open('/console/accounts');
  const plan = page.getByLabel(`Plan of ${demo.accounts[2]}`);
  await plan.selectOption('free');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('no limit → 100').waitFor();
  await dialog.getByText(/has already used \d+ rows this month/).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Go back' }).click();
  expect(await plan.inputValue()).toBe('unlimited');
  await plan.selectOption('free');
  await dialog.getByRole('button', { name: 'Change to “free”' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => plan.inputValue()).toBe('free');
});

it('[PPL43] an invited person with a long name: the name is cut, and the mark is visible', async () => {
  const name = `${'long-name-'.repeat(9)}@example.com`;
  await app.operator.post('/invitations', { name });
  const page = await open('/console/operators');
  const people = page.getByRole('table', { name: 'People' });
  const title = await people.getByRole('columnheader', { name: 'Person' }).boundingBox();
  const mark = await people.getByText('invited').boundingBox();
  if (title === null || mark === null) throw new Error('the table is not visible');
  expect(mark.x + mark.width).toBeLessThanOrEqual(title.x + title.width);
  await people.getByTitle(name).waitFor();
  await page.getByRole('button', { name: `Withdraw the invitation of ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation' }).click();
  await people.getByTitle(name).waitFor({ state: 'detached' });
});

it('[CON70] [CON72] operators: pending invitations can be withdrawn, and audit entries lead to what they are about', async () => {
  await app.operator.post('/invitations', { name: 'Never came' });
  const page = await open('/console/operators');
  const operators = page.getByRole('table', { name: 'People' });
  await operators.getByText('invited').waitFor();
  await page.getByRole('button', { name: 'Withdraw the invitation of Never came' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation' }).click();
  await page.getByText('Invitation withdrawn').first().waitFor();
  await operators.getByText('Never came').waitFor({ state: 'detached' });
  const audit = page.getByRole('table', { name: 'Audit log' });
  await audit.getByRole('link', { name: /^Key / }).first().click();
  await page.getByText('Showing one key.').waitFor();
  await expect.poll(() => page.getByRole('table', { name: 'Keys' }).getByRole('rowheader').count()).toBe(1);
});
