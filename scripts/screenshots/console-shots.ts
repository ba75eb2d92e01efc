import type { ConsoleClient, Listed } from '../../test/support/console-client.ts';
import type { DemoData } from '../../test/support/demo-data.ts';
import type { Shot } from './pictures.ts';

/** One picture of each console screen. */
export async function consoleShots(operator: ConsoleClient, demo: DemoData): Promise<readonly Shot[]> {
  const [books, , events] = demo.accounts;
  const test = { account: events, surface: 'bulkfill', url: 'https://hooks.example.com/rowpress' };
  await operator.post('/webhook-tests', test);
  const { items } = (await operator.get<Listed<{ id: string }>>('/deliveries')).body;
  return [
    { name: 'console-jobs', path: '/console/jobs' },
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
        await page.getByRole('button', { name: 'New key' }).click();
        await page.getByLabel('Name').waitFor();
      },
    },
    { name: 'console-accounts', path: '/console/accounts' },
    { name: 'console-operators', path: '/console/operators' },
    { name: 'console-usage', path: `/console/usage?account=${encodeURIComponent(events)}` },
    { name: 'console-health', path: '/console/health' },
    { name: 'console-reference', path: '/console/reference' },
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

async function choose(page: Parameters<NonNullable<Shot['act']>>[0], account: string): Promise<void> {
  await page.getByLabel('Account').selectOption(account);
  await page.getByRole('link', { name: 'Import', exact: true }).waitFor();
}
