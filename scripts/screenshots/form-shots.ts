import type { Page } from 'playwright-core';
import { chooseFiles } from '../../test/support/editor-story.ts';
import { flatForm, print } from '../../test/support/flat-form.ts';
import type { Shot } from './shot.ts';

/** A flat form and its rows: the fields that were found, a file with other columns, and rows with problems. */
export const formShots: readonly Shot[] = [
  { name: 'found-fields', path: '/', act: findFields },
  {
    name: 'columns',
    path: '/',
    act: async (page) => {
      await acceptFields(page);
      await page.getByRole('tab', { name: 'Data' }).click();
      const other = ['First name,Family name,Street and town,Member no.,Insured', ...lines(20, 3)].join(
        '\r\n',
      );
      await page
        .locator('aside input[type=file]')
        .first()
        .setInputFiles({ name: 'members-2027.csv', mimeType: 'text/csv', buffer: Buffer.from(other) });
      await page.getByRole('dialog').getByRole('row').nth(2).waitFor();
    },
  },
  {
    name: 'fix-rows',
    path: '/',
    act: async (page) => {
      await acceptFields(page);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('button', { name: 'Fix rows' }).click();
      await page.getByRole('grid', { name: 'Rows with problems' }).waitFor();
      await page.locator('[data-highlight]').waitFor();
    },
  },
];

const form = flatForm([
  print.text(72, 96, 'Membership application', 20),
  print.text(72, 150, 'Last name'),
  print.box(180, 136, 300, 20),
  print.text(72, 186, 'First name'),
  print.box(180, 172, 300, 20),
  print.text(72, 222, 'Address'),
  print.box(180, 208, 300, 54),
  print.text(72, 300, 'Member no.'),
  ...Array.from({ length: 6 }, (_, at) => print.box(180 + 20 * at, 284, 20, 22)),
  print.text(72, 344, 'Are you insured?'),
  print.box(180, 334, 11, 11),
  print.text(198, 344, 'Yes'),
  print.box(260, 334, 11, 11),
  print.text(278, 344, 'No'),
  print.text(72, 420, 'Place and date: ______________________________'),
]);

const PEOPLE = ['Lovelace,Ada', 'Hopper,Grace', 'Babbage,Charles', 'Noether,Emmy', 'Turing,Alan'];

/** Every `nth` row has a member number that is longer than its cells. */
function lines(count: number, nth: number): string[] {
  return Array.from({ length: count }, (_, row) => {
    const number = row % nth === 1 ? `RP-2026-${row}` : String(204_100 + row);
    return `${PEOPLE[row % PEOPLE.length]},"${row + 1} Marylebone Road, London",${number},${row % 2 === 0 ? 'Yes' : 'No'}`;
  });
}

async function findFields(page: Page): Promise<void> {
  const csv = ['Last name,First name,Address,Member no.,Are you insured?', ...lines(60, 5)].join('\r\n');
  await chooseFiles(page, { name: 'membership.pdf', bytes: form }, { name: 'members.csv', bytes: csv });
  await page.getByRole('button', { name: 'Open in the editor' }).click();
  await page.getByRole('button', { name: /^Accept all/ }).waitFor();
  const account = page.getByLabel('Account that jobs run under');
  await account.waitFor();
  if ((await account.inputValue()) === '') await account.selectOption({ index: 1 });
  await page.locator('[data-page="1"] canvas').waitFor();
}

async function acceptFields(page: Page): Promise<void> {
  await findFields(page);
  await page.getByRole('button', { name: /^Accept all/ }).click();
  await page.locator('[data-overlay]').first().waitFor();
}
