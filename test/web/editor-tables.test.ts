import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { drag, focusedField, overlay, spot } from '../support/editor-canvas.ts';
import { openProject } from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';

const heading = (text: string) => `BT /F1 20 Tf 72 720 Td (${text}) Tj ET`;
const invoice = {
  name: 'invoice.pdf',
  bytes: pagesPdf([{ content: heading('Invoice') }, { content: heading('Further items') }]),
};

/** Items of three invoices; those of the second one stand among the others. */
const COUNTS = { 'R-1': 30, 'R-2': 4, 'R-3': 2 };
const items = (): string => {
  const lines = Object.entries(COUNTS).flatMap(([number, count]) =>
    Array.from(
      { length: count },
      (_, n) => `${number},Customer of ${number},Item ${n + 1},${n + 1},${n + 1}.50`,
    ),
  );
  const moved = lines.splice(30, 2);
  return ['Invoice,Customer,Item,Quantity,Amount', ...moved, ...lines, ''].join('\r\n');
};

/** Tables: drawn on the page, set in the inspector, previewed and run as groups of rows. */
describe('tables in the editor', () => {
  const editor = useSignedInEditor();

  const openItems = async (): Promise<Page> => {
    const page = await editor.openPage();
    await openProject(page, editor.app.url, invoice, { name: 'items.csv', bytes: items() });
    return page;
  };
  const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
  const columns = (page: Page) => inspector(page).getByRole('list', { name: 'Columns of the table' });
  const headers = (page: Page) =>
    columns(page).locator('[aria-expanded] > span:first-child').allTextContents();
  const drawTable = async (page: Page): Promise<void> => {
    await page.keyboard.press('g');
    await page.getByRole('button', { name: 'Table', pressed: true }).waitFor();
    await drag(page, await spot(page, 72, 120), await spot(page, 540, 420));
    await page.mouse.up();
    await overlay(page, 'table_1').waitFor();
    await expect.poll(() => focusedField(page)).toBe('table_1');
    await columns(page).waitFor();
  };

  it('[EDT240] a drag with the table tool: makes a table of the first columns that can be undone, moved and duplicated', async () => {
    const page = await openItems();
    await drawTable(page);
    expect(await headers(page)).toEqual(['Invoice', 'Customer', 'Item', 'Quantity', 'Amount']);
    const table = overlay(page, 'table_1');
    await table.locator('[data-text="Customer of R-2"]').waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await table.waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await table.click();
    const y = inspector(page).getByRole('textbox', { name: 'y', exact: true });
    const before = Number(await y.inputValue());
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => Number(await y.inputValue())).toBe(before + 1);
    await page.keyboard.press('ControlOrMeta+d');
    await overlay(page, 'table_2').waitFor();
    await page.keyboard.press('Delete');
    await overlay(page, 'table_2').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).getByText('Table', { exact: true }).waitFor();
  });

  it('[EDT241] [EDT242] the inspector of a table: sets columns, order, totals and pages, and says what cannot be used', async () => {
    const page = await openItems();
    await drawTable(page);
    const list = columns(page);
    const panel = inspector(page);
    const entry = (name: RegExp) => list.getByRole('button', { name });
    await list.getByRole('button', { name: 'Remove Invoice' }).click();
    await list.getByRole('button', { name: 'Remove Customer' }).click();
    await expect.poll(() => headers(page)).toEqual(['Item', 'Quantity', 'Amount']);
    await list.getByRole('button', { name: 'Move Quantity up' }).click();
    await expect.poll(() => headers(page)).toEqual(['Quantity', 'Item', 'Amount']);
    await entry(/^Quantity/).press('Alt+ArrowDown');
    await expect.poll(() => headers(page)).toEqual(['Item', 'Quantity', 'Amount']);

    await entry(/^Amount/).click();
    await panel.getByLabel('Header', { exact: true }).first().fill('Price');
    await panel.getByLabel('Header', { exact: true }).first().press('Enter');
    await overlay(page, 'table_1').locator('[data-text="Price"]').waitFor();
    const width = panel.getByLabel('Width in percent of the table');
    await width.fill('99');
    await width.press('Enter');
    await panel.getByText('Enter a number from 1 to 98 % of the table.').waitFor();
    await width.fill('40');
    await width.press('Enter');
    await expect.poll(() => width.inputValue()).toBe('40');
    await panel.getByLabel('Write the value as').selectOption('Number');
    await panel.getByText('1.50 → 1.50').waitFor();
    await panel.getByLabel('Total below the last row').selectOption('Sum of the column');
    await panel.getByLabel('Label of the totals').fill('Total');
    await panel.getByLabel('Label of the totals').press('Enter');
    await panel.getByRole('combobox', { name: 'Rows that do not fit' }).selectOption('Continue on page 2');
    await panel.getByText('Page 2 is repeated for as many rows as needed.').waitFor();
    await panel.getByLabel('Top there').fill('abc');
    await panel.getByLabel('Top there').press('Enter');
    await panel.getByText(/^Enter a number from/).waitFor();
    await panel.getByLabel('Top there').fill('100');
    await panel.getByLabel('Top there').press('Enter');
    await panel.getByLabel('Stripes: colour every second row').check();
    await panel.getByLabel('Stripe colour', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Add column' }).click();
    await expect.poll(() => headers(page)).toEqual(['Item', 'Quantity', 'Price', 'Invoice']);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
