import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drag, numbers, openCanvas, overlay, place, spot } from '../support/editor-canvas.ts';
import { type EditorBench, startEditorBench } from '../support/editor-page.ts';

let bench: EditorBench;
beforeAll(async () => {
  bench = await startEditorBench();
});
afterAll(() => bench?.close());

async function zoomTo(page: Page, percent: number): Promise<void> {
  await page.keyboard.press('Control+0');
  const button = page.getByRole('button', { name: /^Zoom \d+ %/ });
  await expect.poll(() => button.textContent()).toContain('100');
  for (let steps = percent === 100 ? 0 : 2; steps > 0; steps -= 1) await page.keyboard.press('Control+-');
  await expect.poll(() => button.textContent()).toContain(String(percent));
}

async function typeSize(page: Page, size: number): Promise<void> {
  for (const name of ['width', 'height']) {
    const input = page.getByRole('textbox', { name, exact: true });
    await input.fill(String(size));
    await input.press('Enter');
  }
  await page.keyboard.press('Escape');
}

/** The part of the canvas at a point: the field, a handle or the page. */
const partAt = (page: Page, x: number, y: number) =>
  page.evaluate<string>(
    `document.elementFromPoint(${x}, ${y}).closest('[data-handle],[data-overlay],[data-page]')?.dataset.handle ?? document.elementFromPoint(${x}, ${y}).closest('[data-overlay],[data-page]')?.dataset.overlay ?? 'page'`,
  );

describe('small fields', () => {
  it.each([{ percent: 100 }, { percent: 67 }])(
    '[EDT100] a selected 12 pt tick at $percent %: no handle covers it, a drag moves it, and its handles resize it',
    async ({ percent }) => {
      const { page, broken } = await openCanvas(bench);
      await zoomTo(page, percent);
      await place(page, 'c', 200, 250);
      await typeSize(page, 12);
      const before = await numbers(page);
      expect(before).toMatchObject({ width: 12, height: 12 });
      const box = await overlay(page, 'check_1').boundingBox();
      if (box === null) throw new Error('the tick is not drawn');
      for (const [dx, dy] of [
        [1, 1],
        [box.width - 1, 1],
        [box.width / 2, 1],
        [1, box.height / 2],
        [box.width - 1, box.height - 1],
        [box.width / 2, box.height / 2],
      ] as const)
        expect(await partAt(page, box.x + dx, box.y + dy)).toBe('check_1');
      // Grips of 24 px lie beyond the corners.
      expect(await partAt(page, box.x - 20, box.y - 20)).toBe('nw');
      expect(await partAt(page, box.x + box.width + 20, box.y + box.height + 20)).toBe('se');

      await page.keyboard.down('Alt');
      await drag(
        page,
        [box.x + box.width - 2, box.y + box.height - 2],
        [box.x + box.width + 38, box.y + box.height + 28],
      );
      await page.mouse.up();
      await page.keyboard.up('Alt');
      const moved = await numbers(page);
      expect(moved).toMatchObject({ width: 12, height: 12 });
      const scale = box.width / 12;
      expect(moved.x).toBeCloseTo(before.x + 40 / scale, 1);
      expect(moved.y).toBeCloseTo(before.y + 30 / scale, 1);

      const now = await overlay(page, 'check_1').boundingBox();
      const corner: [number, number] = [
        (now?.x ?? 0) + (now?.width ?? 0) + 12,
        (now?.y ?? 0) + (now?.height ?? 0) + 12,
      ];
      await page.keyboard.down('Alt');
      await drag(page, corner, [corner[0] + 20, corner[1] + 20]);
      await page.mouse.up();
      await page.keyboard.up('Alt');
      expect((await numbers(page)).width).toBeCloseTo(12 + 20 / scale, 1);
      expect(broken).toEqual([]);
      await page.close();
    },
  );

  it('[EDT100] a field beside a selected small one: stays in front of the grips of that one', async () => {
    const { page } = await openCanvas(bench);
    await zoomTo(page, 100);
    await place(page, 'c', 200, 250);
    await typeSize(page, 12);
    await page.keyboard.press('Escape');
    await place(page, 'c', 216, 250);
    await overlay(page, 'check_1').click();
    await page.mouse.click(...(await spot(page, 222, 256)));
    expect(await overlay(page, 'check_2').getAttribute('aria-pressed')).toBe('true');
    await page.close();
  });
});
