import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drag, numbers, openCanvas, overlay, place, spot } from '../support/editor-canvas.ts';
import { type EditorBench, startEditorBench } from '../support/editor-page.ts';
import { pagesPdf } from '../support/page-sources.ts';

let bench: EditorBench;
beforeAll(async () => {
  bench = await startEditorBench();
});
afterAll(() => bench?.close());

/**
 * A form in user space: a tick box as a rectangle path (120, 200), one as four lines (160, 200), a low box (100, 300) and a
 * high one (100, 400) with a label. Places are in points from the top left of the page.
 */
const BOXES = [
  '0.5 w 120 582 10 10 re S',
  '160 582 m 170 582 l S 170 582 m 170 592 l S 170 592 m 160 592 l S 160 592 m 160 582 l S',
  '1 w 100 472 200 20 re S',
  '100 312 300 80 re S BT /F1 8 Tf 104 382 Td (Remarks) Tj ET',
].join(' ');

/** Waits until the page's lines are read, which is after it is drawn: then a field snaps to them. */
async function openBoxes(): Promise<{ page: Page; broken: readonly string[] }> {
  const opened = await openCanvas(bench, pagesPdf([{ content: BOXES }]));
  const { page } = opened;
  await page.keyboard.press('t');
  await expect
    .poll(async () => {
      await drag(page, await spot(page, 450, 350), await spot(page, 402, 398));
      const guides = await page.locator('[data-guide]').count();
      await page.keyboard.press('Escape');
      await page.mouse.up();
      await page.keyboard.press('t');
      return guides;
    })
    .toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  return opened;
}

/** Drops a column, as the browser does after a drag from the data panel. */
async function dropColumn(page: Page, key: string, at: [number, number]): Promise<void> {
  await page.evaluate(
    `(() => {
      const data = new DataTransfer();
      data.setData('application/x-rowpress-column', '${key}');
      const at = { clientX: ${at[0]}, clientY: ${at[1]}, bubbles: true, cancelable: true, dataTransfer: data };
      document.elementFromPoint(${at[0]}, ${at[1]}).dispatchEvent(new DragEvent('drop', at));
    })()`,
  );
}

describe('printed boxes', () => {
  it('[EDT101] a click with the check tool: centres the mark on the printed box and takes its size', async () => {
    const { page, broken } = await openBoxes();
    await place(page, 'c', 127, 207);
    const rectangle = await numbers(page);
    expect(rectangle.x).toBeCloseTo(120.25, 1);
    expect(rectangle.y).toBeCloseTo(200.25, 1);
    expect(rectangle.width).toBeCloseTo(9.5, 1);
    await place(page, 'c', 163, 203);
    const lines = await numbers(page);
    expect(lines.x + lines.width / 2).toBeCloseTo(165, 1);
    expect(lines.y + lines.height / 2).toBeCloseTo(205, 1);
    expect(lines.height).toBeCloseTo(9.5, 1);
    // Beside any box, a mark keeps its last size.
    await place(page, 'c', 450, 600);
    expect((await numbers(page)).width).toBeCloseTo(9.5, 1);
    expect(broken).toEqual([]);
    await page.close();
  });

  it('[EDT102] a dragged mark: rests in the centre of the printed box under the pointer', async () => {
    const { page } = await openBoxes();
    await place(page, 'c', 450, 600); // 16 pt, larger than the boxes
    await drag(page, await spot(page, 458, 608), await spot(page, 167, 203));
    await page.mouse.up();
    const rested = await numbers(page);
    expect(rested.x + rested.width / 2).toBeCloseTo(165, 1);
    expect(rested.y + rested.height / 2).toBeCloseTo(205, 1);
    await page.close();
  });

  it('[EDT103] a column dropped into a printed box: fills its free space; a high box breaks lines', async () => {
    const { page } = await openBoxes();
    await dropColumn(page, 'column_0', await spot(page, 180, 310));
    expect(await numbers(page)).toEqual({ x: 100.5, y: 300.5, width: 199, height: 19 });
    expect(await page.getByRole('textbox', { name: /Padding/ }).inputValue()).toBe('2');
    expect(await page.getByRole('textbox', { name: 'Size in points', exact: true }).inputValue()).toBe('12');
    await dropColumn(page, 'column_1', await spot(page, 250, 450));
    const high = await numbers(page);
    expect(high).toMatchObject({ x: 100.5, width: 299 });
    expect(high.y).toBeGreaterThan(410); // below the label
    expect(high.y + high.height).toBeCloseTo(479.5, 2);
    expect(await page.getByRole('button', { name: 'Vertical align: Top' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await dropColumn(page, 'column_2', await spot(page, 125, 205));
    expect(await overlay(page, 'check_1').count()).toBe(1);
    expect((await numbers(page)).width).toBeCloseTo(9.5, 1);
    // Beside any box, a column gets the usual size.
    await dropColumn(page, 'column_3', await spot(page, 350, 600));
    expect((await numbers(page)).height).toBeCloseTo(high.height, 1);
    await page.close();
  });
});
