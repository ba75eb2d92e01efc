import type { Page } from 'playwright-core';
import { ConsoleClient, type Listed, tokenOf } from '../../test/support/console-client.ts';
import { type DemoData, guests, sealDemoPackage, sendJob } from '../../test/support/demo-data.ts';
import { PHONE, type Shot } from './shot.ts';

/** Returns one shot of each console screen. */
export async function consoleShots(
  operator: ConsoleClient,
  demo: DemoData,
  receiver: string,
): Promise<readonly Shot[]> {
  const [books, , events] = demo.accounts;
  await sendWebhooks(operator, demo, receiver);
  await invitePeople(operator, events);
  // A separate account, so that this job does not dwarf the usage of the others.
  const { key } = (
    await operator.post<{ key: string }>('/keys', { surface: 'bulkfill', account: books, name: 'Catalogue' })
  ).body;
  const { items } = (await operator.get<Listed<{ id: string }>>('/deliveries')).body;
  return [
    { name: 'console-jobs', path: '/console/jobs', act: (page) => watchBigJob(page, operator, key) },
    { name: 'console-job', path: `/console/jobs/${demo.troubledJob}` },
    { name: 'console-transfers', path: '/console/transfers', act: async (page) => choose(page, books) },
    { name: 'console-ingest', path: '/console/ingest' },
    { name: 'console-quarantine', path: '/console/ingest?tab=quarantine' },
    { name: 'console-item', path: '/console/ingest?tab=items&collection=master%2Fskus&item=BK-102' },
    { name: 'console-webhooks', path: '/console/deliveries' },
    { name: 'console-webhook', path: `/console/deliveries/${items[0]?.id}` },
    { name: 'console-idempotency', path: `/console/request-keys?key=${demo.conflictKey}` },
    { name: 'console-keys', path: '/console/keys' },
    {
      name: 'console-new-key',
      path: '/console/keys',
      act: async (page) => {
        await page.getByRole('button', { name: 'Create key' }).click();
        await page.getByLabel('Name').waitFor();
      },
    },
    { name: 'console-accounts', path: '/console/accounts' },
    { name: 'console-operators', path: '/console/operators' },
    { name: 'console-usage', path: `/console/usage?account=${encodeURIComponent(events)}` },
    { name: 'console-health', path: '/console/health' },
    { name: 'console-reference', path: '/console/reference' },
    { name: 'phone-jobs', path: '/console/jobs', size: PHONE },
    {
      name: 'phone-screens',
      path: '/console/keys',
      size: PHONE,
      act: async (page) => {
        await page.getByRole('navigation', { name: 'Console' }).getByRole('button', { name: 'Keys' }).click();
      },
    },
    {
      name: 'console-search',
      path: '/console/jobs',
      act: async (page) => {
        await page.keyboard.press('/');
        await page.keyboard.type(demo.conflictKey);
        await page.getByRole('option').first().waitFor();
      },
    },
  ];
}

async function choose(page: Page, account: string): Promise<void> {
  await page.getByLabel('Account', { exact: true }).selectOption(account);
  await page.getByRole('link', { name: 'Import', exact: true }).waitFor();
}

/** Makes each job different: equal work would complete at once from the earlier artifact. */
let bigJobs = 0;

/** Starts a job long enough to be seen running, and waits only until its bar moves. */
async function watchBigJob(page: Page, operator: ConsoleClient, key: string): Promise<void> {
  const doqlo = await sealDemoPackage(operator);
  bigJobs += 1;
  // Not awaited: the response arrives when the job has ended.
  void sendJob(operator.url, key, doqlo, guests(60_000 + bigJobs)).catch(() => {});
  const bar = page.getByRole('progressbar').first();
  await bar.waitFor();
  for (let look = 0; look < 200; look += 1) {
    if (Number(await bar.getAttribute('value')) > 4_000) return;
    await page.waitForTimeout(100);
  }
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Two people who have signed in, and one who has not used the invitation. */
async function invitePeople(operator: ConsoleClient, account: string): Promise<void> {
  const invite = async (person: object) =>
    (await operator.post<{ link: string }>('/invitations', person)).body.link;
  const links = [
    await invite({ name: 'design@example.com', role: 'designer', account }),
    await invite({ name: 'audit@example.com', role: 'auditor' }),
  ];
  for (const link of links)
    await new ConsoleClient(operator).request('POST', '/session', {
      headers: { 'content-type': 'application/json', 'user-agent': FIREFOX },
      body: JSON.stringify({ token: tokenOf(link) }),
    });
  await invite({ name: 'front-desk@example.com', role: 'runner', account });
}

/** Sends some webhooks that are delivered, one that is retried, and one that is given up. */
async function sendWebhooks(operator: ConsoleClient, demo: DemoData, receiver: string): Promise<void> {
  const doqlo = await sealDemoPackage(operator);
  for (const [index, place] of ['/tickets', '/tickets', '/busy', '/archive'].entries()) {
    const fields = {
      delivery_mode: 'webhook',
      webhook_url: `${receiver}${place}`,
      webhook_secret: 'a secret of the demo',
    };
    await sendJob(operator.url, demo.keys.bulkfill, doqlo, guests(20 + index), { fields });
  }
  const test = { account: demo.accounts[0], surface: 'subscribers', url: 'https://old.example.com/hook' };
  await operator.post('/webhook-tests', test);
}
