import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { type EditorBench, type EditorPage, openInEditor, startEditorBench } from '../support/editor-page.ts';
import { pagesPdf } from '../support/page-sources.ts';

let bench: EditorBench;
beforeAll(async () => {
  bench = await startEditorBench();
});
afterAll(() => bench?.close());

/** A heading, two labels with a rule each, and a box: what a form is made of. */
const FORM = [
  'BT /F1 24 Tf 72 700 Td (Application) Tj ET',
  'BT /F1 12 Tf 72 640 Td (Name) Tj ET 0.5 w 120 636 m 400 636 l S',
  '72 300 300 120 re S',
].join(' ');
const LETTER = { width: 612, height: 792 };

async function editor(pdf: Uint8Array = pagesPdf([{ content: FORM }, {}, {}])): Promise<EditorPage> {
  const opened = await bench.openPage();
  await openInEditor(bench, opened.page, pdf);
  return opened;
}

/** Where a point of a page is in the window. */
async function spot(
  page: Page,
  x: number,
  y: number,
  { number = 1, size = LETTER }: { number?: number; size?: { width: number; height: number } } = {},
): Promise<[number, number]> {
  const box = await page.locator(`[data-page="${number}"]`).boundingBox();
  if (box === null) throw new Error(`page ${number} is not drawn`);
  return [box.x + (x / size.width) * box.width, box.y + (y / size.height) * box.height];
}

/** Of 12-point sans in the middle of a box of 24 points: ascent 905, descent 212 thousandths. */
const BASELINE = (24 - 12 * 1.117) / 2 + 12 * 0.905;

/** Pixels are coarser than points: what the mouse can say exactly, to the pixel. */
const PIXEL = 1.5;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The selected field's numbers as the inspector shows them. */
async function numbers(page: Page): Promise<Placed> {
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const read = async (label: string) =>
    Number(await inspector.getByRole('textbox', { name: label, exact: true }).inputValue());
  return { x: await read('x'), y: await read('y'), width: await read('width'), height: await read('height') };
}

async function place(page: Page, key: string, x: number, y: number): Promise<void> {
  await page.keyboard.press(key);
  await page.mouse.click(...(await spot(page, x, y)));
}

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  await page.mouse.move(...to);
}

const overlay = (page: Page, id: string) => page.locator(`[data-overlay="${id}"]`);
const chosen = (page: Page) =>
  page
    .locator('[data-overlay][aria-pressed="true"]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-overlay')));

describe('placing and moving', () => {
  it('a click places a field of the usual size, a drag one of its own; both are selected and named', async () => {
    const { page, broken } = await editor();
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

  it('a drag rests on the template’s own rule and on other fields; Alt moves freely; one step of the history', async () => {
    const { page } = await editor();
    await place(page, 't', 300, 200);
    // The rule under “Name” is 792 - 636 = 156 points from the top: the field’s lower edge rests on it.
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
    // Two points lower its own baseline is nearer to the label’s, which is 792 - 640 = 152 points from the top.
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

  it('Escape forgets a drag in progress', async () => {
    const { page } = await editor();
    await place(page, 't', 200, 500);
    const before = await numbers(page);
    await drag(page, await spot(page, 210, 510), await spot(page, 400, 700));
    expect((await numbers(page)).x).not.toBe(before.x);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await numbers(page)).toEqual(before);
    await page.close();
  });

  it('handles resize, and numbers typed in any unit are exact', async () => {
    const { page } = await editor();
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

/** Content drawn in user space, and where it must be seen after the page’s boxes and rotation. */
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
      const { page, broken } = await editor(pagesPdf([{ entries }]));
      await page.keyboard.press('t');
      await page.mouse.click(...(await spot(page, 60, 200, { size })));
      const { x, y } = await numbers(page);
      expect(Math.abs(x - 60)).toBeLessThan(PIXEL);
      expect(Math.abs(y - 200)).toBeLessThan(PIXEL);
      // The drawn box is where the numbers say, to half a pixel.
      const drawn = await overlay(page, 'text_1').boundingBox();
      const [left, top] = await spot(page, x, y, { size });
      expect(Math.abs((drawn?.x ?? 0) - left)).toBeLessThan(0.51);
      expect(Math.abs((drawn?.y ?? 0) - top)).toBeLessThan(0.51);
      // The picture of the page has the page’s own size.
      const picture = await page.locator('[data-page="1"] canvas').boundingBox();
      const sheet = await page.locator('[data-page="1"]').boundingBox();
      expect(Math.abs((picture?.width ?? 0) - (sheet?.width ?? 0))).toBeLessThan(1.01);
      expect(broken).toEqual([]);
      await page.close();
    },
  );
});

describe('several fields', () => {
  it('marquee and Shift select; align, distribute and same size act on all; undo tells what it undoes', async () => {
    const { page } = await editor();
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

  it('copies keep their place on another page and get ids of their own', async () => {
    const { page } = await editor();
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

  it('a locked field is selected but does not move', async () => {
    const { page } = await editor();
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
  it('a tool’s key and Enter place a field in the middle; arrows move it; Tab goes in reading order; all is said', async () => {
    const { page } = await editor();
    await page.keyboard.press('t');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(page)).toEqual(['text_1']);
    const before = await numbers(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowUp');
    expect(await numbers(page)).toEqual({ ...before, x: before.x + 1, y: before.y - 10 });
    const said = page.locator('[aria-live="polite"]').first();
    expect(await said.textContent()).toBe(`x ${before.x + 1}, y ${before.y - 10}`);
    await page.keyboard.press('q');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(page)).toEqual(['qr_1']);
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

it('a code that cannot be encoded and fields that lie on each other are told, and lead there', async () => {
  const { page } = await editor();
  await place(page, 'b', 100, 560);
  await page.getByRole('combobox', { name: 'Symbology' }).fill('ean13');
  await page.getByText('BC·1 cannot be encoded').waitFor();
  await page.getByRole('button', { name: 'Text', exact: true }).click(); // keys would be typed into the field
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

/** Where the first letter of the field text_1 lies in its box. */
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
  const { page } = await editor();
  await place(page, 't', 100, 560);
  const value = page.getByRole('textbox', { name: 'Text', exact: true });
  await page.getByRole('button', { name: 'Align: Right', exact: true }).click();
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

it('Ctrl and the wheel zoom at the pointer', async () => {
  const { page } = await editor();
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('Control+='); // so that there is room to scroll
  const before = await spot(page, 200, 300);
  const width = (await page.locator('[data-page="1"]').boundingBox())?.width ?? 0;
  await page.mouse.move(...before);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -300);
  await page.keyboard.up('Control');
  await expect
    .poll(async () => Math.hypot(...(await spot(page, 200, 300)).map((at, i) => at - (before[i] ?? 0))))
    .toBeLessThan(2);
  const sheet = await page.locator('[data-page="1"]').boundingBox();
  expect(sheet?.width).toBeGreaterThan(width * 1.2);
  await page.close();
});

it('a hundred pages: only those near the view are drawn, and the strip leads to any', async () => {
  const { page } = await editor(pagesPdf(Array.from({ length: 100 }, () => ({}))));
  expect(await page.locator('[data-page] canvas').count()).toBeLessThan(5);
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('PageDown');
  await page.locator('[data-page="4"] canvas').waitFor();
  await page
    .getByRole('navigation', { name: 'Page strip' })
    .getByRole('button', { name: 'Page 6', exact: true })
    .click();
  await page.locator('[data-page="6"] canvas').waitFor();
  expect(await page.locator('[data-page]').count()).toBeLessThan(6);
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
