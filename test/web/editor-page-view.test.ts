import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { chosen, FORM, openCanvas, overlay, PIXEL, place, spot } from '../support/editor-canvas.ts';
import { type EditorBench, openInEditor, startEditorBench } from '../support/editor-page.ts';
import { pagesPdf } from '../support/page-sources.ts';

let bench: EditorBench;
beforeAll(async () => {
  bench = await startEditorBench();
});
afterAll(() => bench?.close());

it('a code that cannot be encoded, and overlapping fields: warnings that lead to them', async () => {
  const { page } = await openCanvas(bench);
  await place(page, 'b', 100, 560);
  await page.getByRole('combobox', { name: 'Symbology' }).fill('ean13');
  await page.getByRole('combobox', { name: 'Symbology' }).press('Enter');
  await page.getByText('BC·1 cannot be encoded').waitFor();
  await page.getByRole('button', { name: 'Text', exact: true }).click(); // otherwise the keys would be typed into the field
  await page.mouse.click(...(await spot(page, 150, 570)));
  await page.getByText('lies in the quiet zone of BC·1').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('BC·1 cannot be encoded').click();
  expect(await chosen(page)).toEqual(['barcode_1']);
  const value = page.getByRole('textbox', { name: 'Text', exact: true });
  await value.fill('952012345678');
  await value.press('Enter');
  await page.getByText('BC·1 cannot be encoded').waitFor({ state: 'detached' });
  await page.close();
});

it('[EDT251] a window that becomes narrower or wider: the previewed page fits again', async () => {
  const { page } = await openCanvas(bench);
  await page.getByRole('button', { name: 'Preview' }).click();
  const sheet = page.getByRole('img', { name: 'Page 1 of the filled document' });
  await page.locator('canvas[data-drawn]').first().waitFor();
  /** Width of the page, and whether it lies inside of the desk, which has a margin of 24 px. */
  const fit = async () => {
    const [drawn, desk] = await Promise.all([
      sheet.boundingBox(),
      page.getByRole('region', { name: 'The filled document' }).boundingBox(),
    ]);
    return Math.round((desk?.width ?? 0) - (drawn?.width ?? 0));
  };
  // At 1440 px the page has its largest scale.
  const widest = (await sheet.boundingBox())?.width;
  await page.setViewportSize({ width: 760, height: 900 });
  await expect.poll(fit).toBe(48);
  await page.setViewportSize({ width: 1024, height: 900 });
  await expect.poll(fit).toBe(48);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(async () => (await sheet.boundingBox())?.width).toBe(widest);
  await page.close();
});

/** Returns the position of the first letter of the field text_1 in its box. */
const FIRST_LETTER = `(() => {
  const box = document.querySelector('[data-overlay="text_1"]');
  const text = document.createTreeWalker(box, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(text, 1);
  const letter = range.getBoundingClientRect();
  const { left, right } = box.getBoundingClientRect();
  return { first: letter.left - left, end: right - letter.right, top: letter.top };
})()`;

it('[FILL63] text wider than its field: the canvas shows its beginning at the same height, as the output does', async () => {
  const { page } = await openCanvas(bench);
  await place(page, 't', 100, 560);
  const value = page.getByRole('textbox', { name: 'Text', exact: true });
  await page.getByRole('button', { name: 'Align: Right', exact: true }).click();
  await page.getByRole('switch', { name: 'Break long lines' }).click();
  await page.getByRole('textbox', { name: 'Padding in points' }).fill('0');
  await page.getByRole('textbox', { name: 'Padding in points' }).press('Enter');
  const placed = async (text: string) => {
    await value.fill(text);
    await value.press('Enter');
    await overlay(page, 'text_1').getByText(text.trim(), { exact: true }).waitFor();
    return page.evaluate<{ first: number; end: number; top: number }>(FIRST_LETTER);
  };
  const fitting = await placed('M');
  expect(fitting.end).toBeLessThan(PIXEL);
  await page.getByRole('combobox', { name: 'When it does not fit' }).selectOption('clip');
  const wide = await placed('M'.repeat(120));
  expect(Math.abs(wide.first)).toBeLessThan(PIXEL);
  expect(Math.abs(wide.top - fitting.top)).toBeLessThan(PIXEL);
  const hebrew = await placed('מ'.repeat(200));
  expect(Math.abs(hebrew.end)).toBeLessThan(PIXEL);
  await page.close();
});

it('Ctrl and the wheel: zoom at the pointer', async () => {
  const { page } = await openCanvas(bench);
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('Control+='); // makes the page large enough to scroll
  const before = await spot(page, 200, 300);
  const sheetWidth = async () => (await page.locator('[data-page="1"]').boundingBox())?.width ?? 0;
  const width = await sheetWidth();
  await page.mouse.move(...before);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -300);
  await page.keyboard.up('Control');
  // The wheel acts after the call has returned; until then, the point under the pointer has not moved either.
  await expect.poll(sheetWidth).toBeGreaterThan(width * 1.2);
  await expect
    .poll(async () => Math.hypot(...(await spot(page, 200, 300)).map((at, i) => at - (before[i] ?? 0))))
    .toBeLessThan(2);
  await page.close();
});

it('a hundred pages: only those near the view are drawn, and the strip leads to any', async () => {
  const { page } = await openCanvas(bench, pagesPdf(Array.from({ length: 100 }, () => ({}))));
  await expect.poll(() => page.locator('[data-page] canvas').count()).toBeLessThan(5);
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('PageDown');
  await page.locator('[data-page="4"] canvas').waitFor();
  await page
    .getByRole('navigation', { name: 'Page strip' })
    .getByRole('button', { name: 'Page 6', exact: true })
    .click();
  await page.locator('[data-page="6"] canvas').waitFor();
  await expect.poll(() => page.locator('[data-page]').count()).toBeLessThan(6);
  await page.close();
});

describe('accessibility', () => {
  it.each(['light', 'dark'] as const)('no violation, %s', async (colorScheme) => {
    const { page } = await bench.openPage();
    await page.emulateMedia({ colorScheme });
    await openInEditor(bench, page, pagesPdf([{ content: FORM }, {}]));
    await place(page, 't', 150, 520);
    await place(page, 'b', 160, 530);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Data' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.close();
  });
});
