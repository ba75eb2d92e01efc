/**
 * Measures the script time of one pointer move in the editor: 256 fields on the first of 100 pages, with one field
 * dragged, then all of them. `node bench/editor/run.ts`, with the web app built. Each move is dispatched and awaited
 * with React's work in the following microtask; layout and paint are not included.
 */
import { readFileSync } from 'node:fs';
import { openInEditor, startEditorBench } from '../../test/support/editor-page.ts';
import { pagesPdf } from '../../test/support/page-sources.ts';

const MOVES = 200;
const DOUBLINGS = 8;

const bench = await startEditorBench();
try {
  const { page } = await bench.openPage();
  await openInEditor(bench, page, pagesPdf(Array.from({ length: 100 }, () => ({}))));
  await page.keyboard.press('t');
  await page.keyboard.press('Enter');
  for (let doubling = 0; doubling < DOUBLINGS; doubling += 1) {
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+d');
  }
  const script = readFileSync(new URL('./measure-drag.js', import.meta.url), 'utf8');
  const measure = () => page.evaluate(`(${script.trim().replace(/;$/, '')})(${MOVES})`);
  const count = await page.locator('[data-overlay]').count();
  await page.keyboard.press('Escape');
  await page.locator('[data-overlay]').last().click();
  console.log(JSON.stringify({ fields: count, pages: 100, dragged: 1, milliseconds: await measure() }));
  await page.keyboard.press('Control+a');
  console.log(JSON.stringify({ fields: count, pages: 100, dragged: count, milliseconds: await measure() }));
} finally {
  await bench.close();
}
