import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { openCanvas, overlay, place } from '../support/editor-canvas.ts';
import { type EditorBench, startEditorBench } from '../support/editor-page.ts';
import { focused } from '../support/web-page.ts';

let bench: EditorBench;
beforeAll(async () => {
  bench = await startEditorBench();
});
afterAll(() => bench?.close());

it('[EDT108] the list of fields: reading order, names, values of the row, states, and renaming in place', async () => {
  const { page } = await openCanvas(bench);
  await page.getByRole('tab', { name: 'Data' }).click();
  const rows = {
    name: 'rows.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,City\nAda,London\n,Paris\n'),
  };
  await page.getByRole('tabpanel').locator('input[type=file]').setInputFiles(rows);
  await page.getByRole('button', { name: 'Add Name to the page' }).click();
  await page.getByRole('tab', { name: 'Fields' }).click();
  // Placed last, but first on the page.
  await place(page, 't', 100, 60);
  const list = page.getByRole('region', { name: 'Fields on page 1' });
  const entries = list.getByRole('listitem');
  const texts = () =>
    entries.evaluateAll((all) => all.map((one) => one.querySelector('button')?.textContent));
  await expect.poll(texts).toEqual([expect.stringMatching(/F·2Text$/), 'Name F·1Ada']);

  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByRole('button', { name: 'Next row' }).click();
  await page.getByRole('tab', { name: 'Fields' }).click();
  await expect.poll(async () => (await texts()).at(1)).toBe('Name F·1Blank in this row');

  await entries
    .nth(1)
    .getByRole('button', { name: /^Name F·1/ })
    .press('F2');
  const input = page.getByRole('textbox', { name: 'Name of text_1' });
  await expect.poll(() => focused(page)).toBe('input Name of text_1');
  await input.fill('text_2');
  await input.press('Enter');
  await page.getByText('Another field has this id.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await input.fill('surname');
  await input.press('Enter');
  await expect.poll(() => focused(page)).toMatch(/^button surname/);
  expect(await overlay(page, 'surname').count()).toBe(1);
  await page.getByRole('button', { name: 'Undo: Rename text_1 to surname' }).waitFor();
  await entries.nth(1).dblclick();
  await page.getByRole('textbox', { name: 'Name of surname' }).press('Escape');
  await expect.poll(() => focused(page)).toMatch(/^button surname/);

  await page.getByRole('button', { name: /^Lock/ }).first().click();
  await page.keyboard.press('Escape');
  await list.getByRole('button', { name: /^Unlock Text/ }).waitFor();
  await entries.nth(0).getByRole('button').first().press('ContextMenu');
  await expect.poll(() => focused(page)).toMatch(/^button Cut/);
  await page.close();
});
