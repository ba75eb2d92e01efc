import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { readDraftSummary, readDraftWork } from '../support/editor-drafts.ts';
import { type EditorBench, openInEditor, startEditorBench } from '../support/editor-page.ts';
import { pagesPdf } from '../support/page-sources.ts';

const PATIENT = { timeout: 60_000 };
const DEAF = 'BroadcastChannel.prototype.addEventListener = () => {};';

let bench: EditorBench;
beforeAll(async () => {
  bench = await startEditorBench();
});
afterAll(() => bench?.close());

const overlay = (page: Page, id: string) => page.locator(`[data-overlay="${id}"]`);
const place = async (page: Page, key: string, x: number, y: number) => {
  const sheet = await page.locator('[data-page="1"]').boundingBox();
  await page.keyboard.press(key);
  await page.mouse.click((sheet?.x ?? 0) + x, (sheet?.y ?? 0) + y);
};
/** Whether the thumbnail is stored. From then on, opening the project writes nothing. */
const hasThumbnail = async (page: Page) => (await readDraftSummary(page)).thumbnail !== null;
const fieldsKept = async (page: Page) =>
  (await readDraftWork<{ layout: { overlays: { id: string }[] } }>(page)).layout.overlays.map(({ id }) => id);

describe('one project in two tabs', () => {
  it('[EDT9] a change in another tab: this tab says so, writes nothing over it and loads it', async () => {
    const { page: first, broken } = await bench.openPage();
    await openInEditor(bench, first, pagesPdf([{}]), 'shared.pdf');
    await place(first, 't', 150, 150);
    await expect.poll(() => fieldsKept(first), PATIENT).toEqual(['text_1']);
    const { page: second } = await bench.openPage();
    await second.goto(first.url());
    await overlay(second, 'text_1').waitFor();
    // Opening the project is not a change.
    expect(await first.getByRole('dialog').count()).toBe(0);

    await place(second, 'q', 300, 300);
    await expect.poll(() => fieldsKept(second), PATIENT).toEqual(['text_1', 'qr_1']);
    const told = first.getByRole('dialog', { name: 'Changed in another tab' });
    await told.waitFor();
    expect(await accessibilityFaults(first)).toEqual([]);
    // Closing the dialog leaves a way to reopen it, and still nothing is written.
    await first.keyboard.press('Escape');
    await first.getByRole('button', { name: 'Changed in another tab' }).click();
    await told.waitFor();
    await first.keyboard.press('Escape');
    await place(first, 'b', 200, 400);
    await told.waitFor();
    expect(await fieldsKept(second)).toEqual(['text_1', 'qr_1']);
    await told.getByRole('button', { name: 'Load the other version' }).click();
    await overlay(first, 'qr_1').waitFor();
    expect(await overlay(first, 'barcode_1').count()).toBe(0);

    // Both tabs are in sync again: the next change in the first one is stored.
    await place(first, 'c', 100, 500);
    await expect.poll(() => fieldsKept(first), PATIENT).toEqual(['text_1', 'qr_1', 'check_1']);
    await second.getByRole('dialog', { name: 'Changed in another tab' }).waitFor();
    expect(broken).toEqual([]);
    await first.close();
    await second.close();
  });

  it('[EDT9] a picture that is drawn after the question was closed: does not ask again', async () => {
    const { page: first } = await bench.openPage();
    // Holds the picture of the first page, and counts the pauses after which a draft is written.
    await first.addInitScript(`HTMLCanvasElement.prototype.toBlob = (done) => {
        window.drawLate = () => done(new Blob(['late']));
      };
      window.pauses = 0;
      const wait = window.setTimeout;
      window.setTimeout = (work, ms, ...rest) =>
        ms === 250 ? wait(() => { work(); window.pauses += 1; }, ms) : wait(work, ms, ...rest);`);
    await openInEditor(bench, first, pagesPdf([{}]), 'drawn.pdf');
    await place(first, 't', 150, 150);
    await expect.poll(() => fieldsKept(first), PATIENT).toEqual(['text_1']);
    await expect.poll(() => first.evaluate('typeof window.drawLate'), PATIENT).toBe('function');
    const { page: second } = await bench.openPage();
    await second.goto(first.url());
    await overlay(second, 'text_1').waitFor();
    await place(second, 'q', 300, 300);
    const told = first.getByRole('dialog', { name: 'Changed in another tab' });
    await told.waitFor();
    await first.keyboard.press('Escape');
    await told.waitFor({ state: 'detached' });
    const before = await first.evaluate<number>('window.pauses');
    await first.evaluate('window.drawLate()');
    await expect.poll(() => first.evaluate<number>('window.pauses'), PATIENT).toBeGreaterThan(before);
    await first.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await told.count()).toBe(0);
    await first.close();
    await second.close();
  });

  it('[EDT9] changes in both tabs: neither is lost, one becomes a copy', async () => {
    const { page: first } = await bench.openPage();
    await openInEditor(bench, first, pagesPdf([{}]), 'both.pdf');
    await place(first, 't', 150, 150);
    await expect.poll(() => fieldsKept(first), PATIENT).toEqual(['text_1']);
    await expect.poll(() => hasThumbnail(first), PATIENT).toBe(true);
    const { page: second } = await bench.openPage();
    // This tab does not receive the other tab's message; the stored revision alone must stop it.
    await second.addInitScript(DEAF);
    await second.goto(first.url());
    await overlay(second, 'text_1').waitFor();
    await place(first, 'q', 300, 300);
    await expect.poll(() => fieldsKept(first), PATIENT).toEqual(['text_1', 'qr_1']);
    await place(second, 'b', 200, 400);
    const told = second.getByRole('dialog', { name: 'Changed in another tab' });
    await told.waitFor();
    expect(await fieldsKept(first)).toEqual(['text_1', 'qr_1']);
    await told.getByRole('button', { name: 'Save mine as a copy' }).click();
    await expect.poll(() => second.url(), PATIENT).not.toBe(first.url());
    await overlay(second, 'barcode_1').waitFor();
    await expect.poll(() => second.getByLabel('Project name').inputValue(), PATIENT).toBe('both (copy)');
    expect(await fieldsKept(first)).toEqual(['text_1', 'qr_1']);
    await first.reload();
    await overlay(first, 'qr_1').waitFor();
    await first.close();
    await second.close();
  });

  it('[EDT9] a project deleted in another tab: is kept as a copy on request', async () => {
    const { page: first } = await bench.openPage();
    await openInEditor(bench, first, pagesPdf([{}]), 'doomed.pdf');
    await place(first, 't', 150, 150);
    await expect.poll(() => fieldsKept(first), PATIENT).toEqual(['text_1']);
    const { page: second } = await bench.openPage();
    await second.goto(bench.url);
    await second.getByRole('button', { name: 'Delete doomed', exact: true }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    const told = first.getByRole('dialog', { name: 'Deleted in another tab' });
    await told.waitFor();
    await told.getByRole('button', { name: 'Save mine as a copy' }).click();
    await expect.poll(() => first.getByLabel('Project name').inputValue(), PATIENT).toBe('doomed (copy)');
    await overlay(first, 'text_1').waitFor();
    await first.close();
    await second.close();
  });
});

it('[EDT211] a change right before a reload: is kept, even if the draft was not written', async () => {
  const { page } = await bench.openPage();
  // The page closes before IndexedDB has written anything: only what is written at once remains.
  await page.addInitScript(
    "addEventListener('pagehide', () => { IDBObjectStore.prototype.put = () => { throw new Error('closed'); }; }, true)",
  );
  await openInEditor(bench, page, pagesPdf([{}]), 'late.pdf');
  await place(page, 't', 150, 150);
  await expect.poll(() => fieldsKept(page), PATIENT).toEqual(['text_1']);
  await expect.poll(() => hasThumbnail(page), PATIENT).toBe(true);
  await Promise.all([
    page.waitForEvent('load'),
    page.evaluate(
      `document.querySelector('[aria-label^="Undo"]').click(); setTimeout(() => location.reload())`,
    ),
  ]);
  await page.locator('[data-page="1"] canvas').waitFor();
  await expect.poll(() => overlay(page, 'text_1').count(), PATIENT).toBe(0);
  await expect.poll(() => fieldsKept(page), PATIENT).toEqual([]);
  await page.close();
});

it('[EDT211] a change while an earlier one is written, right before a reload: is kept', async () => {
  const { page } = await bench.openPage();
  // From `hold` on, writes are committed, but the page does not learn it before it closes.
  await page.addInitScript(`Object.defineProperty(IDBTransaction.prototype, 'oncomplete', {
      set(learn) { this.addEventListener('complete', (event) => { if (!window.hold) learn(event); }); },
    });`);
  await openInEditor(bench, page, pagesPdf([{}]), 'running.pdf');
  await place(page, 't', 150, 150);
  await expect.poll(() => fieldsKept(page), PATIENT).toEqual(['text_1']);
  await expect.poll(() => hasThumbnail(page), PATIENT).toBe(true);
  await page.evaluate('window.hold = true');
  await place(page, 'q', 300, 300);
  await expect.poll(() => fieldsKept(page), PATIENT).toEqual(['text_1', 'qr_1']);
  await place(page, 'b', 200, 400);
  await overlay(page, 'barcode_1').waitFor();
  await page.reload();
  await overlay(page, 'qr_1').waitFor();
  await expect.poll(() => overlay(page, 'barcode_1').count(), PATIENT).toBe(1);
  await expect.poll(() => fieldsKept(page), PATIENT).toEqual(['text_1', 'qr_1', 'barcode_1']);
  await page.close();
});

it('[EDT12] undo during a drag: cancels the drag and undoes nothing else', async () => {
  const { page } = await bench.openPage();
  await openInEditor(bench, page, pagesPdf([{}]));
  await place(page, 't', 200, 200);
  await page.keyboard.press('ArrowRight');
  const at = async () => {
    const box = await overlay(page, 'text_1').boundingBox();
    return [Math.round(box?.x ?? 0), Math.round(box?.y ?? 0)];
  };
  const before = await at();
  const undo = page.getByRole('button', { name: /^Undo: Nudge/ });
  const entry = await undo.getAttribute('aria-label');
  const drag = async (key: string) => {
    const box = await overlay(page, 'text_1').boundingBox();
    const [x, y] = [(box?.x ?? 0) + 10, (box?.y ?? 0) + 10];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 90);
    expect(await at()).not.toEqual(before);
    await page.keyboard.press(key);
    await page.mouse.move(x + 70, y + 95);
    await page.mouse.up();
  };
  await drag('Control+z');
  expect(await at()).toEqual(before);
  expect(await undo.getAttribute('aria-label')).toBe(entry);
  // A change by another key during the drag is kept, too.
  await drag('Delete');
  await overlay(page, 'text_1').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: /^Undo: Delete/ }).count()).toBe(1);
  await page.close();
});
