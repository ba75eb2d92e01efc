import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { chosen, numbers, openCanvas, overlay, place, spot } from '../support/editor-canvas.ts';
import { type EditorBench, startEditorBench } from '../support/editor-page.ts';
import { focused } from '../support/web-page.ts';

let bench: EditorBench;
beforeAll(async () => {
  bench = await startEditorBench();
});
afterAll(() => bench?.close());

const item = (page: Page, name: string | RegExp) =>
  page.locator('fieldset:popover-open').getByRole('button', { name }).last();
const menus = (page: Page) => page.locator('fieldset:popover-open').count();
const reaches = (page: Page, place: RegExp) => expect.poll(() => focused(page)).toMatch(place);

async function addRows(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Data' }).click();
  const rows = { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from('Name,City\nAda,London\n') };
  await page.getByRole('tabpanel').locator('input[type=file]').setInputFiles(rows);
  await page.getByRole('button', { name: 'Add Name to the page' }).waitFor();
  await page.getByRole('tab', { name: 'Fields' }).click();
}

describe('context menus', () => {
  it('[EDT106] the right button on fields and pages: acts on what was clicked', async () => {
    const { page } = await openCanvas(bench);
    await addRows(page);
    await place(page, 't', 200, 520);
    await place(page, 't', 200, 600);
    // A field outside the selection is selected first.
    await overlay(page, 'text_1').click({ button: 'right', position: { x: 4, y: 4 } });
    expect(await chosen(page)).toEqual(['text_1']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await item(page, 'Bind to column').hover();
    await item(page, 'City: London').click();
    expect(await menus(page)).toBe(0);
    await page.getByRole('button', { name: 'Undo: Bind F·1 to City' }).waitFor();
    expect(await overlay(page, 'text_1').getAttribute('aria-label')).toMatch(/column City/);
    await overlay(page, 'text_1').click({ button: 'right', position: { x: 4, y: 4 } });
    await item(page, /^Duplicate/).click();
    await expect.poll(() => chosen(page)).toEqual(['text_3']);
    await overlay(page, 'text_1').click({ button: 'right', position: { x: 4, y: 4 } });
    await item(page, /^Select same column/).click();
    expect((await chosen(page)).toSorted()).toEqual(['text_1', 'text_3']);
    await overlay(page, 'text_1').click({ button: 'right', position: { x: 4, y: 4 } });
    await item(page, 'Align').hover();
    await item(page, /^Align left/).click();
    await page.getByRole('button', { name: 'Undo: Align left 2 fields' }).waitFor();
    await overlay(page, 'text_1').click({ button: 'right', position: { x: 4, y: 4 } });
    await item(page, /^Cut/).click();
    expect(await page.locator('[data-overlay]').count()).toBe(1);
    // Pastes around the point that was clicked.
    await page.mouse.click(...(await spot(page, 300, 300)), { button: 'right' });
    await item(page, /^Paste here/).click();
    await expect.poll(() => chosen(page)).toHaveLength(2);
    await page.keyboard.press('Escape');
    await overlay(page, 'text_2').click({ button: 'right' });
    await page.mouse.click(...(await spot(page, 60, 60)));
    expect(await menus(page)).toBe(0);
    await page.close();
  });

  it('[EDT106] by keyboard: opens, leads through submenus, shows shortcuts and returns the focus', async () => {
    const { page } = await openCanvas(bench);
    await page.keyboard.press('t');
    await page.keyboard.press('Enter');
    await reaches(page, /^button Text F·1/);
    await page.keyboard.press('Shift+F10');
    await reaches(page, /^button Cut/);
    expect(await item(page, /^Copy/).textContent()).toMatch(/Copy(Ctrl\+|⌘)/);
    await page.keyboard.press('Escape');
    await reaches(page, /^button Text F·1/);
    await page.keyboard.press('ContextMenu');
    await reaches(page, /^button Cut/);
    for (let step = 0; step < 9; step += 1) {
      await page.keyboard.press('ArrowDown');
      if (/^button Arrange/.test(await focused(page))) break;
    }
    await page.keyboard.press('ArrowRight');
    await reaches(page, /^button Bring to front/);
    await page.keyboard.press('ArrowLeft');
    await reaches(page, /^button Arrange/);
    await page.keyboard.press('ArrowDown');
    await reaches(page, /^button Lock/);
    await page.keyboard.press('Enter');
    await expect.poll(() => overlay(page, 'text_1').getAttribute('aria-label')).toMatch(/, locked$/);
    await reaches(page, /^button Text F·1/);
    await page.keyboard.press('Control+c');
    const original = await numbers(page);
    const strip = page.getByRole('navigation', { name: 'Page strip' });
    await strip.getByRole('button', { name: 'Page 1', exact: true }).press('ArrowDown');
    await reaches(page, /^button Page 2/);
    await page.keyboard.press('Shift+F10');
    await reaches(page, /^button Go to page 2/);
    await page.keyboard.press('ArrowDown');
    await reaches(page, /^button Paste on page 2/);
    await page.keyboard.press('Enter');
    await page.locator('[data-page="2"] [data-overlay="text_2"]').waitFor();
    expect(await numbers(page)).toEqual(original);
    await page.close();
  });
});

it('[EDT107] the toolbar: each tool shows its name, and only its icon in a narrow window', async () => {
  const { page } = await openCanvas(bench);
  const tool = page.getByRole('button', { name: 'Check mark', exact: true });
  expect(await tool.innerText()).toBe('Check mark');
  expect(await page.getByRole('button', { name: 'Arrange', exact: true }).innerText()).toBe('Arrange');
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const tools = page.getByRole('toolbar', { name: 'Tools' });
    await expect
      .poll(() => tools.evaluate((bar) => bar.scrollWidth - bar.clientWidth))
      .toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 800, height: 900 });
  await expect.poll(() => tool.innerText()).toBe('');
  expect((await tool.boundingBox())?.width).toBeGreaterThanOrEqual(24);
  await page.close();
});
