import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  chosen,
  drag,
  focusedField,
  numbers,
  openCanvas,
  overlay,
  PIXEL,
  place,
  spot,
} from '../support/editor-canvas.ts';
import { type EditorBench, startEditorBench } from '../support/editor-page.ts';
import { pagesPdf } from '../support/page-sources.ts';

let bench: EditorBench;
beforeAll(async () => {
  bench = await startEditorBench();
});
afterAll(() => bench?.close());

/** The baseline of 12-point sans centred in a 24-point box: ascent 905, descent 212 thousandths. */
const BASELINE = (24 - 12 * 1.117) / 2 + 12 * 0.905;

describe('placing and moving', () => {
  it('a click and a drag: place a field of the default size and one of the dragged size, selected and named', async () => {
    const { page, broken } = await openCanvas(bench);
    await place(page, 't', 200, 500);
    expect(await overlay(page, 'text_1').getAttribute('aria-label')).toMatch(/^Text F·1, “Text”, x \d/);
    const first = await numbers(page);
    expect(Math.abs(first.x - 200)).toBeLessThan(PIXEL);
    expect(first).toMatchObject({ width: 180, height: 24 });
    await page.keyboard.press('b');
    await drag(page, await spot(page, 100, 560), await spot(page, 260, 600));
    await page.mouse.up();
    const drawn = await numbers(page);
    expect(Math.abs(drawn.width - 160)).toBeLessThan(2 * PIXEL);
    expect(await chosen(page)).toEqual(['barcode_1']);
    expect(broken).toEqual([]);
    await page.close();
  });

  it('a drag: snaps to lines of the template and to other fields; Alt moves freely; one undo step', async () => {
    const { page } = await openCanvas(bench);
    await place(page, 't', 300, 200);
    // The rule under “Name” is 792 - 636 = 156 points from the top: the field’s lower edge snaps to it.
    await expect
      .poll(async () => {
        await drag(page, await spot(page, 310, 210), await spot(page, 150, 142));
        const guides = await page.locator('[data-guide]').count();
        await page.keyboard.press('Escape');
        await page.mouse.up();
        return guides;
      })
      .toBeGreaterThan(0);
    await drag(page, await spot(page, 310, 210), await spot(page, 150, 142));
    await page.mouse.up();
    const rested = await numbers(page);
    expect(rested.y + rested.height).toBeCloseTo(156, 2);
    expect(await page.locator('[data-guide]').count()).toBe(0);
    // Two points lower, the field’s baseline is closer to the label’s, which is 792 - 640 = 152 points from the top.
    await page.keyboard.press('Control+z');
    await drag(page, await spot(page, 310, 210), await spot(page, 150, 145));
    await page.mouse.up();
    expect((await numbers(page)).y + BASELINE).toBeCloseTo(152, 1);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+z');
    await drag(page, await spot(page, 310, 210), await spot(page, 150, 142));
    await page.mouse.up();
    expect(await numbers(page)).toEqual(rested);
    await page.getByRole('button', { name: 'Undo: Move F·1' }).click();
    expect(Math.abs((await numbers(page)).x - 300)).toBeLessThan(PIXEL);
    await page.getByRole('button', { name: 'Redo: Move F·1' }).click();
    expect(await numbers(page)).toEqual(rested);
    await page.keyboard.down('Alt');
    await drag(
      page,
      await spot(page, rested.x + 60, rested.y + 12),
      await spot(page, rested.x + 62, rested.y + 16),
    );
    await page.mouse.up();
    await page.keyboard.up('Alt');
    expect((await numbers(page)).y).not.toBeCloseTo(rested.y, 2);
    await page.close();
  });

  it('Escape during a drag: cancels it', async () => {
    const { page } = await openCanvas(bench);
    await place(page, 't', 200, 500);
    const before = await numbers(page);
    await drag(page, await spot(page, 210, 510), await spot(page, 400, 700));
    expect((await numbers(page)).x).not.toBe(before.x);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await numbers(page)).toEqual(before);
    await page.close();
  });

  it('handles and typed numbers: resize, exactly in any unit', async () => {
    const { page } = await openCanvas(bench);
    await place(page, 'q', 200, 500);
    const before = await numbers(page);
    const corner = await spot(page, before.x + before.width, before.y + before.height);
    const [x, y] = corner;
    await drag(page, corner, [x + 40, y + 20]);
    await page.mouse.up();
    const after = await numbers(page);
    expect(after.x).toBe(before.x);
    expect(after.width).toBeGreaterThan(before.width + 20);
    expect(after.height).toBeGreaterThan(before.height + 10);
    const field = page
      .getByRole('complementary', { name: 'Inspector' })
      .getByRole('textbox', { name: 'x', exact: true });
    await field.fill('1in');
    await field.press('Enter');
    await page.getByRole('button', { name: 'mm', exact: true }).click();
    expect(await field.inputValue()).toBe('25.4');
    await page.getByRole('button', { name: 'pt', exact: true }).click();
    expect((await numbers(page)).x).toBe(72);
    await page.close();
  });
});

/** Content drawn in user space, and its expected position after the page’s boxes and rotation are applied. */
describe('pages that are turned or cropped', () => {
  it.each([
    { what: 'turned by 90°', entries: '/Rotate 90', size: { width: 792, height: 612 } },
    { what: 'turned by 270°', entries: '/Rotate 270', size: { width: 792, height: 612 } },
    { what: 'cropped', entries: '/CropBox[100 200 500 700]', size: { width: 400, height: 500 } },
    {
      what: 'cropped and turned',
      entries: '/CropBox[100 200 500 700]/Rotate 90',
      size: { width: 500, height: 400 },
    },
  ])(
    '$what: a field is where the pointer put it, in the page’s displayed points',
    async ({ entries, size }) => {
      const { page, broken } = await openCanvas(bench, pagesPdf([{ entries }]));
      await page.keyboard.press('t');
      await page.mouse.click(...(await spot(page, 60, 200, { size })));
      const { x, y } = await numbers(page);
      expect(Math.abs(x - 60)).toBeLessThan(PIXEL);
      expect(Math.abs(y - 200)).toBeLessThan(PIXEL);
      // The drawn box matches the expected position to half a pixel.
      const drawn = await overlay(page, 'text_1').boundingBox();
      const [left, top] = await spot(page, x, y, { size });
      expect(Math.abs((drawn?.x ?? 0) - left)).toBeLessThan(0.51);
      expect(Math.abs((drawn?.y ?? 0) - top)).toBeLessThan(0.51);
      // The page image has the same size as the page.
      const picture = await page.locator('[data-page="1"] canvas').boundingBox();
      const sheet = await page.locator('[data-page="1"]').boundingBox();
      expect(Math.abs((picture?.width ?? 0) - (sheet?.width ?? 0))).toBeLessThan(1.01);
      expect(broken).toEqual([]);
      await page.close();
    },
  );
});

describe('several fields', () => {
  it('several selected fields: align, distribute and same size act on all; undo names its step', async () => {
    const { page } = await openCanvas(bench);
    await place(page, 't', 150, 520);
    await place(page, 't', 220, 570);
    await place(page, 't', 180, 660);
    await drag(page, await spot(page, 100, 500), await spot(page, 240, 690));
    await page.mouse.up();
    expect((await chosen(page)).toSorted()).toEqual(['text_1', 'text_2', 'text_3']);
    await page.getByRole('button', { name: 'Align and distribute' }).click();
    await page.getByRole('button', { name: 'Align left' }).click();
    const left = await Promise.all(
      ['text_1', 'text_2', 'text_3'].map((id) => overlay(page, id).boundingBox()),
    );
    expect(new Set(left.map((box) => Math.round(box?.x ?? 0))).size).toBe(1);
    await page.getByRole('button', { name: 'Align and distribute' }).click();
    await page.getByRole('button', { name: 'Distribute down' }).click();
    const tops = await Promise.all(
      ['text_1', 'text_2', 'text_3'].map((id) => overlay(page, id).boundingBox()),
    );
    const [a = 0, b = 0, c = 0] = tops.map((box) => box?.y);
    expect(Math.abs(b - a - (c - b))).toBeLessThan(1);
    await page.getByRole('button', { name: 'Undo: Distribute down 3 fields' }).click();
    await page.getByRole('button', { name: 'Undo: Align left 3 fields' }).click();
    await page.keyboard.press('Escape');
    await overlay(page, 'text_1').click();
    await overlay(page, 'text_3').click({ modifiers: ['Shift'] });
    expect(await chosen(page)).toHaveLength(2);
    const size = page.getByRole('textbox', { name: 'Size in points', exact: true });
    await size.fill('18');
    await size.press('Enter');
    await page.keyboard.press('Escape');
    await overlay(page, 'text_3').click();
    expect(await size.inputValue()).toBe('18');
    await page.close();
  });

  it('copies on another page: keep their place and get new ids', async () => {
    const { page } = await openCanvas(bench);
    await place(page, 't', 150, 520);
    const original = await numbers(page);
    await page.keyboard.press('Control+c');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('Control+v');
    await overlay(page, 'text_2').waitFor();
    expect(await page.locator('[data-page="2"] [data-overlay="text_2"]').count()).toBe(1);
    expect(await numbers(page)).toEqual(original);
    await page.keyboard.press('Control+d');
    expect(await chosen(page)).toEqual(['text_3']);
    expect((await numbers(page)).x).toBeCloseTo(original.x + 10, 2);
    await page.close();
  });

  it('a locked field: can be selected but does not move', async () => {
    const { page } = await openCanvas(bench);
    await place(page, 't', 150, 520);
    const before = await numbers(page);
    await page.keyboard.press('Control+l');
    await drag(page, await spot(page, 160, 530), await spot(page, 300, 600));
    await page.mouse.up();
    await page.keyboard.press('ArrowRight');
    expect(await numbers(page)).toEqual(before);
    expect(await overlay(page, 'text_1').getAttribute('aria-label')).toMatch(/, locked$/);
    await page.close();
  });
});

describe('by keyboard alone', () => {
  it('a tool key and Enter: place a field in the middle; arrows move it; Tab follows the reading order; all is announced', async () => {
    const { page } = await openCanvas(bench);
    await page.keyboard.press('t');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedField(page)).toBe('text_1');
    expect(await chosen(page)).toEqual(['text_1']);
    const before = await numbers(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowUp');
    expect(await numbers(page)).toEqual({ ...before, x: before.x + 1, y: before.y - 10 });
    const said = page.locator('[aria-live="polite"]').first();
    expect(await said.textContent()).toBe(`x ${before.x + 1}, y ${before.y - 10}`);
    await page.keyboard.press('q');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedField(page)).toBe('qr_1');
    for (let step = 0; step < 10; step += 1) await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => chosen(page)).toEqual(['text_1']);
    await page.keyboard.press('Tab');
    await expect.poll(() => chosen(page)).toEqual(['qr_1']);
    await page.keyboard.press('Delete');
    expect(await page.locator('[data-overlay]').count()).toBe(1);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    await page.close();
  });
});
