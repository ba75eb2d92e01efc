import type { Page } from 'playwright-core';
import { type EditorBench, type EditorPage, openInEditor } from './editor-page.ts';
import { pagesPdf } from './page-sources.ts';

/** User actions on the editor's pages, in page points. */

/** Typical parts of a form: a heading, two labels with a rule each, and a box. */
export const FORM = [
  'BT /F1 24 Tf 72 700 Td (Application) Tj ET',
  'BT /F1 12 Tf 72 640 Td (Name) Tj ET 0.5 w 120 636 m 400 636 l S',
  '72 300 300 120 re S',
].join(' ');
const LETTER = { width: 612, height: 792 };

/** Window coordinates of a point on a page. */
export async function spot(
  page: Page,
  x: number,
  y: number,
  { number = 1, size = LETTER }: { number?: number; size?: { width: number; height: number } } = {},
): Promise<[number, number]> {
  const box = await page.locator(`[data-page="${number}"]`).boundingBox();
  if (box === null) throw new Error(`page ${number} is not drawn`);
  return [box.x + (x / size.width) * box.width, box.y + (y / size.height) * box.height];
}

/** Rounds to what the mouse can address exactly: pixels are coarser than points. */
export const PIXEL = 1.5;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Numbers of the selected field as shown in the inspector. */
export async function numbers(page: Page): Promise<Placed> {
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const read = async (label: string) =>
    Number(await inspector.getByRole('textbox', { name: label, exact: true }).inputValue());
  return { x: await read('x'), y: await read('y'), width: await read('width'), height: await read('height') };
}

export async function place(page: Page, key: string, x: number, y: number): Promise<void> {
  await page.keyboard.press(key);
  await page.mouse.click(...(await spot(page, x, y)));
}

export async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  await page.mouse.move(...to);
}

export const overlay = (page: Page, id: string) => page.locator(`[data-overlay="${id}"]`);
export const chosen = (page: Page) =>
  page
    .locator('[data-overlay][aria-pressed="true"]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-overlay')));

/** The id of the focused field. A placed field gets the focus in the next frame; earlier key presses would go elsewhere. */
export const focusedField = (page: Page): Promise<string | null> =>
  page.evaluate("document.activeElement?.getAttribute('data-overlay') ?? null");

export async function openCanvas(
  bench: EditorBench,
  pdf: Uint8Array = pagesPdf([{ content: FORM }, {}, {}]),
): Promise<EditorPage> {
  const opened = await bench.openPage();
  await openInEditor(bench, opened.page, pdf);
  return opened;
}
