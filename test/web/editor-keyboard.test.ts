import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type EditorBench, openInEditor, startEditorBench } from '../support/editor-page.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { focused, hiddenRings, sidewaysScrolls } from '../support/web-page.ts';

let bench: EditorBench;
beforeAll(async () => {
  bench = await startEditorBench();
});
afterAll(() => bench?.close());

async function editor(pages = 3): Promise<Page> {
  const { page } = await bench.openPage();
  onTestFinished(() => page.close());
  await openInEditor(bench, page, pagesPdf(Array.from({ length: pages }, () => ({}))));
  return page;
}

const said = (page: Page) => page.locator('[aria-live=polite]');
const reaches = (page: Page, place: RegExp) => expect.poll(() => focused(page)).toMatch(place);
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Places a text field and waits until it has the focus, which is in the next frame; earlier key presses would go elsewhere. */
async function placeText(page: Page, badge: string): Promise<void> {
  await press(page, 't', 'Enter');
  await reaches(page, new RegExp(`^button Text ${badge}, “Text”, x \\d+ y \\d+`));
}

describe('the editor without a mouse', () => {
  it('the pages by keyboard: a field is placed, moved, sized, copied, layered and deleted', async () => {
    const page = await editor();
    await reaches(page, /^section Pages/);
    await expect.poll(() => page.title()).toBe('form · Rowpress');
    await placeText(page, 'F·1');
    await press(page, 'ArrowRight', 'Shift+ArrowRight');
    await reaches(page, /x 227 /);

    // Moves to the field's properties and back, without passing the other fields.
    await press(page, 'Enter');
    await reaches(page, /^input x/);
    await press(page, 'ArrowUp', 'Tab', 'Tab', 'Shift+ArrowUp');
    await reaches(page, /^input width/);
    expect(await page.getByRole('textbox', { name: 'width', exact: true }).inputValue()).toBe('190');
    await press(page, '5', 'Escape');
    await reaches(page, /^input width/);
    await press(page, 'Escape');
    await reaches(page, /^button Text F·1, “Text”, x 228 /);

    await press(page, 'Control+d');
    await reaches(page, /^button Text F·2/);
    await press(page, ']');
    await said(page).getByText('Bring forward F·2: nothing to change').waitFor({ state: 'attached' });
    await press(page, 'Delete');
    await said(page).getByText('Delete F·2').waitFor({ state: 'attached' });
    await reaches(page, /^section Page 1 of 3/);
    await press(page, 'Tab');
    await reaches(page, /^button Text F·1/);
    // Escape clears the selection; Space on the field's button selects it again.
    await press(page, 'Escape');
    expect(await page.locator('[data-overlay][aria-pressed=true]').count()).toBe(0);
    await press(page, 'Space');
    expect(await page.locator('[data-overlay][aria-pressed=true]').count()).toBe(1);

    const name = page.getByRole('textbox', { name: 'Project name' });
    await name.fill('Renamed');
    await name.press('Enter');
    expect(await focused(page)).toBe('input Project name');
    await expect.poll(() => page.title()).toBe('Renamed · Rowpress');

    const undo = page.getByRole('button', { name: /^Undo/ });
    for (let n = 0; n < 10; n += 1) await undo.press('Enter');
    expect(await undo.getAttribute('aria-disabled')).toBe('true');
    expect(await focused(page)).toBe('button Undo');
  });

  it('the list of fields: selects several; a button deletes the named one, and the focus moves to the next', async () => {
    const page = await editor();
    for (const badge of ['F·1', 'F·2', 'F·3']) {
      await placeText(page, badge);
      await press(page, 'ArrowDown');
    }
    const list = page.getByRole('region', { name: 'Fields on page 1' });
    const entry = (badge: string) => list.getByRole('button', { name: badge }).first();
    await entry('F·3').press('Enter');
    await entry('F·2').press('Shift+Enter');
    expect(await page.locator('[data-overlay][aria-pressed=true]').count()).toBe(2);
    await list.getByRole('button', { name: 'Delete Text F·3' }).press('Enter');
    await said(page).getByText('Delete F·3').waitFor({ state: 'attached' });
    expect(await page.locator('[data-overlay]').count()).toBe(2);
    expect(await page.locator('[data-overlay][aria-pressed=true]').count()).toBe(1);
    await reaches(page, /^button Delete Text F·2/);
  });

  it('an entry in the list of changes: leads to its field', async () => {
    const page = await editor();
    await placeText(page, 'F·1');
    await page.getByRole('button', { name: 'Changes since the last save' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Show' }).press('Enter');
    await reaches(page, /^button Text F·1/);
  });

  it('the toolbar: one tab stop with arrow keys; its menus open at the first item and return the focus', async () => {
    const page = await editor();
    await placeText(page, 'F·1');
    await page.getByRole('button', { name: 'Select', exact: true }).focus();
    await press(page, 'ArrowRight');
    await reaches(page, /^button Pan/);
    await press(page, 'End');
    await reaches(page, /^button Shortcuts/);
    await press(page, 'Tab');
    await reaches(page, /^button Fields/);
    await press(page, 'Shift+Tab');
    await reaches(page, /^button Shortcuts/);

    await page.getByRole('button', { name: 'Arrange', exact: true }).press('Enter');
    await reaches(page, /^button Copy/);
    // Paste is still disabled.
    await press(page, 'ArrowDown');
    await reaches(page, /^button Duplicate/);
    await press(page, 'ArrowUp', 'ArrowUp');
    await reaches(page, /^button Delete/);
    await press(page, 'Escape');
    await reaches(page, /^button Arrange/);
  });

  it('the page strip: one tab stop; arrow keys change the page', async () => {
    const page = await editor(40);
    const strip = page.getByRole('navigation', { name: 'Page strip' });
    expect(await strip.locator('button[tabindex="0"]').count()).toBe(1);
    await strip.getByRole('button', { name: 'Page 1', exact: true }).press('ArrowDown');
    await reaches(page, /^button Page 2/);
    await said(page).getByText('Page 2 of 40').waitFor({ state: 'attached' });
    await press(page, 'End');
    await reaches(page, /^button Page 40/);
    await press(page, 'Tab');
    await reaches(page, /^section Pages/);
    expect(await hiddenRings(page)).toEqual([]);
  });

  it('single-key shortcuts: can be switched off permanently', async () => {
    const page = await editor();
    onTestFinished(async () => {
      await page.evaluate('localStorage.clear()');
    });
    await press(page, '?');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
    await press(page, 'Escape');
    await reaches(page, /^section Pages/);
    await press(page, 't');
    const tool = page.getByRole('button', { name: 'Text', exact: true });
    expect(await tool.getAttribute('aria-pressed')).toBe('false');
    await press(page, 'Control+a');
    await said(page).getByText('Selected 0 fields on page 1').waitFor({ state: 'attached' });
    await page.reload();
    await page.locator('[data-page="1"] canvas').waitFor();
    await press(page, 't');
    expect(await tool.getAttribute('aria-pressed')).toBe('false');
  });
});

describe('the editor in a small window', () => {
  it('a panel that takes space: the page is fitted again, until the user zooms', async () => {
    const page = await editor();
    await page.setViewportSize({ width: 720, height: 900 });
    const fits = () =>
      page.evaluate(
        'document.querySelector("[data-page]").getBoundingClientRect().width <= document.querySelector("[data-tool]").clientWidth',
      );
    const percent = () => page.getByRole('button', { name: /^Zoom \d+ %/ }).textContent();
    await expect.poll(fits).toBe(true);
    const wide = await percent();
    await page.getByRole('button', { name: 'Properties' }).press('Enter');
    await expect.poll(percent).not.toBe(wide);
    await expect.poll(fits).toBe(true);
    await page.getByRole('button', { name: 'Zoom in' }).press('Enter');
    const chosen = await percent();
    await page.getByRole('button', { name: 'Properties' }).press('Enter');
    await page.getByRole('complementary', { name: 'Inspector' }).waitFor({ state: 'hidden' });
    expect(await percent()).toBe(chosen);
  });

  it('at 400 % scrolls as a whole: the pages and their properties have room', async () => {
    const page = await editor();
    await page.setViewportSize({ width: 320, height: 256 });
    await page.getByRole('button', { name: 'Properties' }).press('Enter');
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await inspector.scrollIntoViewIfNeeded();
    expect((await inspector.boundingBox())?.height).toBeGreaterThan(100);
    expect(await sidewaysScrolls(page)).toEqual([]);
  });
});

it('a rows file is used without a mouse: columns are placed, rows are turned and said, and nothing takes the focus', async () => {
  const page = await editor();
  await page.getByRole('tab', { name: 'Fields' }).press('ArrowRight');
  await reaches(page, /^button Data/);
  const rows = { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from('Name\nAda\nGrace\n') };
  await page.getByRole('tabpanel').locator('input[type=file]').setInputFiles(rows);
  await page.getByRole('button', { name: 'Add Name to the page' }).press('Enter');
  await said(page).getByText('Add Name').waitFor({ state: 'attached' });
  expect(await focused(page)).toBe('button Add Name to the page');
  await page.getByRole('button', { name: 'Next row' }).press('Enter');
  await said(page).getByText('Row 2 of 2').waitFor({ state: 'attached' });
  expect(await focused(page)).toBe('button Next row');
  await page.getByRole('button', { name: 'All rows' }).press('Enter');
  await reaches(page, /^h2 rows.csv/);
  await page.getByRole('button', { name: 'Show row 1 on the page' }).press('Enter');
  await reaches(page, /^button All rows/);
  await page.getByRole('button', { name: 'Remove the rows' }).press('Enter');
  await reaches(page, /^section Rows/);
  // The message is focusable, stays open while it has the focus, and then restores the focus.
  const choose = page.getByRole('button', { name: 'Choose a file' });
  await choose.focus();
  await page.getByRole('button', { name: 'Close this message' }).press('Enter');
  await reaches(page, /^button Choose a file/);
});

it('forced colours: what colour shows is also shown without it', async () => {
  const page = await editor();
  await page.emulateMedia({ forcedColors: 'active' });
  const background = (name: string) =>
    page
      .getByRole('button', { name, exact: true })
      .evaluate((button) => button.ownerDocument.defaultView?.getComputedStyle(button).backgroundColor);
  expect(await background('Select')).not.toBe(await background('Pan'));
  await press(page, '?');
  const appearance = await page
    .getByRole('switch')
    .evaluate((input) => input.ownerDocument.defaultView?.getComputedStyle(input).appearance);
  expect(appearance).toBe('auto');
});
