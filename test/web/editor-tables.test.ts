import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { drag, focusedField, overlay, spot } from '../support/editor-canvas.ts';
import { readDraftWork } from '../support/editor-drafts.ts';
import { openProject, showPreview } from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';

const PATIENT = { timeout: 60_000 };
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
    // A table that is drawn before the rows are read has no columns.
    const columnsKept = async () =>
      (await readDraftWork<{ layout: { columns: unknown[] } }>(page)).layout.columns.length;
    await expect.poll(columnsKept).toBe(5);
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
    // Each value is below its header, in the column of that header.
    const place = async (text: string) => {
      const { x = 0, y = 0 } = (await table.locator(`[data-text="${text}"]`).boundingBox()) ?? {};
      return [Math.round(x), Math.round(y)] as const;
    };
    const [left, top] = await place('Customer');
    const [below, row] = await place('Customer of R-2');
    expect([below, row > top]).toEqual([left, true]);
    expect((await place('Item'))[1]).toBe(top);
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

  it('[EDT243] [EDT244] [EDT245] [EDT246] [EDT247] groups: previewed over two pages, checked, and run as one document each', async () => {
    const page = await openItems();
    await drawTable(page);
    await columns(page).getByRole('button', { name: 'Remove Customer' }).click();
    await expect.poll(() => headers(page)).toEqual(['Invoice', 'Item', 'Quantity', 'Amount']);

    // Without a group column, the run asks before it sends anything.
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const before = page.getByRole('dialog', { name: 'Before the run' });
    await before.getByText('The table shows one row in each document').waitFor(PATIENT);
    await before.getByRole('button', { name: 'Choose a group column' }).click();
    const options = page.getByRole('dialog', { name: 'Run options' });
    await options.getByLabel('One document for').selectOption('All rows with the same Invoice');
    await options.getByText('3 documents from 36 rows.').waitFor(PATIENT);
    await options.getByText('group_1.pdf').waitFor();
    expect(await options.getByLabel('First row').count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await options.getByText('Run from a script').click();
    await options.getByText('group_by=["column_0"]').waitFor();

    // The 30 rows of R-1 do not fit, and the table continues nowhere.
    await options.getByRole('button', { name: 'Create 3 documents' }).click();
    await before.getByText('1 group would fail and have no document.').waitFor(PATIENT);
    await before.getByRole('button', { name: 'Close' }).click();
    await showPreview(page);
    await page.getByRole('heading', { name: 'Group 1 of 3: rows 1–2 and 33–34' }).waitFor();
    await page.getByText('36 rows checked, 1 document would fail.').waitFor();
    await page.getByRole('button', { name: '1 rows, show the first, row 3' }).click();
    await page.getByRole('heading', { name: 'Group 2 of 3: rows 3–32' }).waitFor();
    await page.getByText('Group 2 has no document').waitFor();

    // On the second page, the rest has room.
    await page.getByRole('button', { name: 'Design', exact: true }).click();
    await overlay(page, 'table_1').click();
    const pages = inspector(page).getByRole('combobox', { name: 'Rows that do not fit' });
    await pages.selectOption('Continue on page 2');
    await inspector(page).getByText('Page 2 is repeated for as many rows as needed.').waitFor();
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    const document = page.getByRole('region', { name: 'The filled document' });
    await document.locator('canvas').nth(1).waitFor(PATIENT);
    await page.getByTestId('sha256').waitFor();
    const digest = (await page.getByTestId('sha256').textContent()) ?? '';
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Next group' }).click();
    await page.getByRole('heading', { name: 'Group 3 of 3: rows 35–36' }).waitFor();
    await expect.poll(() => document.locator('canvas').count(), PATIENT).toBe(1);

    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const finished = page.getByRole('dialog', { name: 'Finished' });
    await finished.getByText('All 3 documents created').waitFor(PATIENT);
    await finished.getByText('All groups succeeded without notes.').waitFor();
    await finished.getByLabel('One document of the run').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      finished.getByRole('link', { name: /Download ZIP/ }).click(),
    ]);
    const files = unzipSync(new Uint8Array(await readFile(await download.path())));
    const manifest = JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString()) as Manifest;
    expect(manifest).toMatchObject({ rows: 3, input_rows: 36, options: { group_by: ['column_0'] } });
    expect(manifest.row_results.map(({ row_numbers }) => row_numbers)).toEqual([
      [1, 2, 33, 34],
      Array.from({ length: 30 }, (_, n) => n + 3),
      [35, 36],
    ]);
    // The preview was the document.
    expect(manifest.row_results[1]?.sha256).toBe(digest);
    const texts = await pageTexts(files['group_2.pdf'] ?? new Uint8Array());
    expect(texts.map((text) => /Item \d+/.test(text))).toEqual([true, true]);
    expect(texts[1]).toContain('Item 30');
    expect(await pageTexts(files['group_3.pdf'] ?? new Uint8Array())).toHaveLength(1);
  });

  it('[EDT245] [FILL270] labels with a table that continues: the check and the preview fail the group before it is sent', async () => {
    const page = await openItems();
    await drawTable(page);
    await inspector(page)
      .getByRole('combobox', { name: 'Rows that do not fit' })
      .selectOption('Continue on page 2');
    await inspector(page).getByRole('button', { name: 'Choose a group column' }).click();
    const options = page.getByRole('dialog', { name: 'Run options' });
    await options.getByLabel('One document for').selectOption('All rows with the same Invoice');
    await options.getByLabel('One PDF of all groups').check();
    await options.getByText('Only with one PDF per group.').waitFor();
    await options.getByLabel('Print on sheets of labels').check();
    await options.getByText(/^Places each group on one label/).waitFor();
    await options.getByRole('button', { name: 'Create 3 documents' }).click();
    const before = page.getByRole('dialog', { name: 'Before the run' });
    await before.getByText('1 group would fail and have no document.').waitFor(PATIENT);
    await before.getByRole('button', { name: 'Close' }).click();
    await showPreview(page);
    await page.getByRole('button', { name: 'Next group' }).click();
    await page.getByText('Group 2 has no document').waitFor(PATIENT);
  });
});

interface Manifest {
  readonly row_results: readonly { readonly row_numbers: readonly number[]; readonly sha256: string }[];
}
