import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { drag, FORM, numbers, openCanvas, overlay, place, spot } from '../support/editor-canvas.ts';
import { readDraftWork } from '../support/editor-drafts.ts';
import { type EditorBench, openInEditor, startEditorBench } from '../support/editor-page.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { focused } from '../support/web-page.ts';

let bench: EditorBench;
beforeAll(async () => {
  bench = await startEditorBench();
});
afterAll(() => bench?.close());

describe('rulers and guides', () => {
  it('[EDT104][EDT105] a guide dragged from a ruler: attracts fields, survives a reload, and is removed by a drag back', async () => {
    const { page, broken } = await openCanvas(bench);
    const guides = page.locator('[data-ruler-guide]');
    const ruler = await page.locator('[data-ruler="y"]').boundingBox();
    const from: [number, number] = [(ruler?.x ?? 0) + 10, (ruler?.y ?? 0) + 200];
    await drag(page, from, await spot(page, 250.3, 300));
    await page.mouse.up();
    const name = await guides.getAttribute('aria-label');
    expect(name).toMatch(/^Vertical guide at \d+ pt on page 1$/);
    const at = Number(/at (\d+) pt/.exec(name ?? '')?.[1]);
    expect(Math.abs(at - 250)).toBeLessThan(2);

    await place(page, 't', 300, 600);
    await drag(page, await spot(page, 310, 610), await spot(page, at + 13, 640));
    await page.mouse.up();
    expect((await numbers(page)).x).toBe(at);
    // A field over the guide moves, not the guide.
    await drag(page, await spot(page, at + 1, 642), await spot(page, at + 60, 700));
    await page.mouse.up();
    expect(await guides.getAttribute('aria-label')).toBe(name);
    expect((await numbers(page)).x).toBeGreaterThan(at + 20);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'mm', exact: true }).click();
    expect(await guides.getAttribute('aria-label')).toMatch(/ mm on page 1$/);
    await page.getByRole('button', { name: 'pt', exact: true }).click();
    const guidesKept = async () => (await readDraftWork<{ guides?: readonly unknown[] }>(page)).guides;
    const xKept = async () =>
      (await readDraftWork<{ layout: { overlays: readonly { x: number }[] } }>(page)).layout.overlays[0]?.x;
    const { x } = await numbers(page);
    await expect.poll(guidesKept).toHaveLength(1);
    await expect.poll(xKept).toBeCloseTo(x, 1);
    await page.reload();
    await page.locator('[data-page="1"] canvas').waitFor();
    await expect.poll(() => guides.getAttribute('aria-label')).toBe(name);
    await page.keyboard.press('Shift+R');
    expect(await guides.count()).toBe(0);
    expect(await page.locator('[data-ruler]').count()).toBe(0);
    await page.keyboard.press('Shift+R');
    await drag(page, await spot(page, at, 200), from);
    await page.mouse.up();
    expect(await guides.count()).toBe(0);
    await overlay(page, 'text_1').waitFor();
    expect(broken).toEqual([]);
    await page.close();
  });

  it('[EDT250] reduced motion, another zoom or a narrower window: the rulers begin where the page begins', async () => {
    const { page } = await bench.openPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openInEditor(bench, page, pagesPdf([{ content: FORM }, {}, {}]));
    const offset = async () => ({ x: await rulerOffset(page, 'x'), y: await rulerOffset(page, 'y') });
    const level = { x: 0, y: 0 };
    await expect.poll(offset).toEqual(level);
    // In the same task as the click: a page that reaches its size a frame later leaves the rulers behind.
    const late = await page.evaluate(`(() => {
      document.querySelector('button[aria-label="Zoom in"]').click();
      const scale = Number(document.querySelector('[data-tool]').style.getPropertyValue('--z'));
      return document.querySelector('[data-page="1"]').getBoundingClientRect().width - 612 * scale;
    })()`);
    expect(late).toBeCloseTo(0, 0);
    await expect.poll(offset).toEqual(level);
    await page.keyboard.press('Control+0');
    await expect.poll(offset).toEqual(level);
    await page.setViewportSize({ width: 1024, height: 900 });
    await expect.poll(offset).toEqual(level);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.close();
  });

  it('[EDT104] by keyboard: a menu adds a guide, arrow keys move it, Delete removes it', async () => {
    const { page } = await openCanvas(bench);
    const guides = page.locator('[data-ruler-guide]');
    await page.keyboard.press('t');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/^button Text F·1/);
    const before = await numbers(page);
    await page.getByRole('button', { name: 'View', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Add a horizontal guide' }).press('Enter');
    await expect.poll(() => focused(page)).toBe('button Horizontal guide at 396 pt on page 1');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowUp');
    expect(await focused(page)).toBe('button Horizontal guide at 387 pt on page 1');
    expect(await page.locator('[aria-live="polite"]').first().textContent()).toBe('387 pt');
    await page.keyboard.press('Delete');
    expect(await guides.count()).toBe(0);
    expect(await overlay(page, 'text_1').count()).toBe(1);
    expect(await numbers(page)).toEqual(before);
    await page.close();
  });
});

/** Pixels between the first page's edge and the beginning of a ruler's scale, of those that are visible; 1 is rounding. */
function rulerOffset(page: Page, axis: 'x' | 'y'): Promise<number> {
  return page.evaluate(`(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const canvas = document.querySelector('[data-ruler="${axis}"] canvas');
    const across = '${axis}' === 'x';
    // One line of pixels along the ruler, away from its marks.
    const [width, height] = across ? [canvas.width, 1] : [1, canvas.height];
    const line = canvas.getContext('2d').getImageData(across ? 0 : 1, across ? 1 : 0, width, height).data;
    const begin = line.findIndex((value, at) => at % 4 === 3 && value > 200) >> 2;
    const [ruler, sheet] = [canvas, document.querySelector('[data-page="1"]')].map((it) => it.getBoundingClientRect());
    const edge = across ? Math.max(0, sheet.left - ruler.left) : Math.max(0, sheet.top - ruler.top);
    const offset = Math.round(begin - edge * devicePixelRatio);
    return Math.abs(offset) <= 1 ? 0 : offset;
  })()`);
}
