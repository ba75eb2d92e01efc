import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { chosen, overlay, place, spot } from '../support/editor-canvas.ts';
import { readDraftWork } from '../support/editor-drafts.ts';
import { type EditorBench, startEditorBench } from '../support/editor-page.ts';
import { openProject, showPreview } from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';

const TINOS = fileURLToPath(new URL('../../fonts/tinos/Tinos_400Regular.ttf', import.meta.url));
const CSV = 'Vorname,Nachname,Status\nAda,Lovelace,single\nKurt,Gödel,married\nGrace,Hopper,widowed\n';

interface Work {
  readonly layout: { readonly overlays: readonly Readonly<Record<string, unknown>>[] };
}

const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' });
const stored = async (page: Page) => (await readDraftWork<Work>(page)).layout.overlays;

describe('fields in the inspector', () => {
  let bench: EditorBench;
  let page: Page;
  let broken: readonly string[];
  beforeAll(async () => {
    bench = await startEditorBench();
    ({ page, broken } = await bench.openPage());
    await openProject(
      page,
      bench.url,
      { name: 'form.pdf', bytes: pagesPdf([{}]) },
      { name: 'people.csv', bytes: CSV },
    );
  });
  afterAll(async () => {
    expect(broken.filter((line) => !line.includes('404'))).toEqual([]);
    await bench?.close();
  });

  it('[EDT33][EDT39] several marks: grouped as choices they are one thing, with one column and a value per box', async () => {
    for (const x of [100, 140, 180]) {
      await place(page, 'c', x, 200);
      await page.keyboard.press('Escape');
    }
    await overlay(page, 'check_1').click();
    await overlay(page, 'check_2').click({ modifiers: ['Shift'] });
    await overlay(page, 'check_3').click({ modifiers: ['Shift'] });
    await inspector(page).getByRole('button', { name: 'Group as choices' }).click();
    await inspector(page).getByRole('heading', { name: 'Choice group' }).waitFor();
    await inspector(page).getByRole('button', { name: 'Column', exact: true }).click();
    await inspector(page).getByLabel('Column', { exact: true }).selectOption('column_2');
    await inspector(page).getByText('In the data, but in no box: single, married, widowed.').waitFor();

    const value = (badge: string) => inspector(page).getByLabel(`Value that ticks ${badge}`);
    await value('CH·1').fill('single');
    await value('CH·2').fill('married');
    await value('CH·3').fill('single');
    await value('CH·3').press('Enter');
    await inspector(page).getByText('CH·1 has this value already.').waitFor();
    await value('CH·3').fill('');
    await inspector(page).getByText('Enter the value that ticks this box.').waitFor();
    await value('CH·3').press('Escape');
    await inspector(page).getByRole('button', { name: 'Remove CH·3' }).click();
    await inspector(page).getByRole('button', { name: 'Add box' }).click();
    await expect.poll(() => value('CH·3').inputValue()).toBe('widowed');
    expect(await accessibilityFaults(page)).toEqual([]);
    await expect
      .poll(async () => (await stored(page)).map(({ on_value, group, value }) => [on_value, group, value]))
      .toEqual([
        ['single', 'Choice', { column: 'column_2' }],
        ['married', 'Choice', { column: 'column_2' }],
        ['widowed', 'Choice', { column: 'column_2' }],
      ]);

    // One entry in the list, one thing on the page; a second click, or Alt, chooses a single box.
    await page.getByRole('tab', { name: 'Fields' }).click();
    await page.getByRole('button', { name: /Choice, 3 choices/ }).waitFor();
    await page.mouse.click(...(await spot(page, 300, 500)));
    await overlay(page, 'check_1').click();
    expect(await chosen(page)).toEqual(['check_1', 'check_2', 'check_3']);
    await overlay(page, 'check_1').click();
    expect(await chosen(page)).toEqual(['check_1']);
    await inspector(page).getByText('A box of the choice group Choice.').waitFor();
    await inspector(page).getByRole('button', { name: 'Select the group' }).click();
    expect(await chosen(page)).toEqual(['check_1', 'check_2', 'check_3']);
    await overlay(page, 'check_2').click({ modifiers: ['Alt'] });
    expect(await chosen(page)).toEqual(['check_2']);

    // The row's value ticks its own box, on the page and in the engine.
    await overlay(page, 'check_1').locator('svg').waitFor();
    expect(await overlay(page, 'check_2').locator('svg').count()).toBe(0);
    await showPreview(page);
    await page.getByRole('button', { name: 'Check all 3 rows' }).click();
    await page.getByText('3 rows checked, no problems.').waitFor();
    await page.getByRole('button', { name: 'Design', exact: true }).click();
    await overlay(page, 'check_1').click();
    await inspector(page).getByRole('button', { name: 'Ungroup' }).click();
    await inspector(page).getByRole('button', { name: 'Group as choices' }).waitFor();
    await page.keyboard.press('Control+z');
    await inspector(page).getByRole('heading', { name: 'Choice group' }).waitFor();
  });

  it('[EDT34][EDT36][EDT37] a template with column names: stored as keys, explained if wrong, never lost', async () => {
    await place(page, 't', 100, 300);
    await page.keyboard.press('Escape');
    await overlay(page, 'text_1').click();
    const panel = inspector(page);
    const area = panel.getByLabel('Text with columns');
    // Switching kinds adds no text of its own and brings back what was there.
    await panel.getByRole('button', { name: 'Column', exact: true }).click();
    await panel.getByLabel('Column', { exact: true }).selectOption('column_0');
    await panel.getByRole('button', { name: 'Fixed text' }).click();
    await expect.poll(() => panel.getByLabel('Text', { exact: true }).inputValue()).toBe('Text');
    await panel.getByLabel('Text', { exact: true }).fill('');
    await panel.getByRole('button', { name: 'Column', exact: true }).click();
    await overlay(page, 'text_1').getByText('Ada').waitFor();
    await panel.getByRole('button', { name: 'Template' }).click();
    await expect.poll(() => area.inputValue()).toBe('{{Vorname}}');

    await area.fill('{{Nachname}}, {{ vorname }}');
    await area.blur();
    await overlay(page, 'text_1').getByText('Lovelace, Ada').waitFor();
    await expect.poll(() => area.inputValue()).toBe('{{Nachname}}, {{Vorname}}');
    const template = async () => (await stored(page)).find(({ id }) => id === 'text_1')?.value;
    await expect.poll(template).toEqual({ template: '{{column_1}}, {{column_0}}' });

    await area.fill('Dear {{Nachnahme}}');
    await area.blur();
    await panel.getByText('No column is called “Nachnahme”. Did you mean “Nachname”?').waitFor();
    expect(await area.inputValue()).toBe('Dear {{Nachnahme}}');
    expect(await accessibilityFaults(page)).toEqual([]);
    await overlay(page, 'check_1').click();
    await page.getByText(/“Dear {{Nachnahme}}” was not applied to Text with columns/).waitFor();
    await page.getByRole('button', { name: 'Close this message' }).click();
    expect(await template()).toEqual({ template: '{{column_1}}, {{column_0}}' });

    // Numbers and colours keep what was typed too.
    await overlay(page, 'text_1').click();
    const size = panel.getByRole('textbox', { name: 'Size in points', exact: true });
    await size.fill('9000');
    await size.blur();
    await panel.getByText('Enter a number from 1 to 2000 pt.').waitFor();
    expect(await size.inputValue()).toBe('9000');
    await size.press('Escape');
    await expect.poll(() => size.inputValue()).toBe('12');
    const colour = panel.getByRole('textbox', { name: 'Colour', exact: true });
    await colour.fill('reddish');
    await colour.blur();
    await panel.getByText('Enter three or six hexadecimal digits, for example #1a73e8.').waitFor();
    await colour.fill('#C00');
    await colour.press('Enter');
    await expect.poll(() => colour.inputValue()).toBe('#c00');
    const page1 = panel.getByRole('textbox', { name: 'Page', exact: true });
    await page1.fill('7');
    await page1.press('Enter');
    await panel.getByText('Enter a whole number from 1 to 1.').waitFor();
    await page1.press('Escape');
  });

  it('[FILL296] marks in a template: shown as styles on the page, explained if one is not closed', async () => {
    await overlay(page, 'text_1').click();
    const panel = inspector(page);
    await panel.getByRole('button', { name: 'Template' }).click();
    const area = panel.getByLabel('Text with columns');
    await area.fill('**{{Nachname}}** [red](#c00000)');
    await area.blur();
    await overlay(page, 'text_1').getByText('**Lovelace** [red](#c00000)').waitFor();
    const marks = panel.getByRole('switch', { name: /Read marks as styles/ });
    await marks.check();
    const look = (text: string) =>
      overlay(page, 'text_1').getByText(text, { exact: true }).getAttribute('style');
    await expect.poll(() => look('Lovelace')).toContain('font-weight: 700');
    expect(await look('red')).toContain('color: rgb(192, 0, 0)');
    const saved = async () => (await stored(page)).find(({ id }) => id === 'text_1');
    await expect.poll(async () => (await saved())?.markup).toBe(true);
    await area.fill('**{{Nachname}}');
    await area.blur();
    await panel.getByText('** is not closed; write \\*\\* for the characters.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await marks.uncheck();
    await overlay(page, 'text_1').getByText('**Lovelace', { exact: true }).waitFor();
    await expect.poll(async () => (await saved())?.markup).toBeUndefined();
    await area.fill('{{Nachname}}, {{Vorname}}');
    await area.blur();
    await overlay(page, 'text_1').getByText('Lovelace, Ada').waitFor();
  });

  it('[EDT30][EDT32] padding and cells of a text: shown on the page and kept in the draft', async () => {
    await overlay(page, 'text_1').click();
    const panel = inspector(page);
    const padding = panel.getByRole('textbox', { name: 'Padding in points' });
    expect(await padding.inputValue()).toBe('2');
    await padding.fill('3.5');
    await padding.press('Enter');
    await panel.getByLabel('One character per cell').click();
    const cells = panel.getByRole('textbox', { name: 'Number of cells' });
    expect(await cells.inputValue()).toBe('8'); // 180 by 24 points
    await cells.fill('201');
    await cells.press('Enter');
    await panel.getByText('Enter a whole number from 2 to 200.').waitFor();
    await cells.fill('13');
    await cells.press('Enter');
    await overlay(page, 'text_1').locator('[data-comb="13"]').waitFor();
    const shown = await overlay(page, 'text_1').locator('[data-comb] > span').allTextContents();
    expect(shown.join('|')).toBe('L|o|v|e|l|a|c|e|,| |A|d|a');
    await expect
      .poll(async () => (await stored(page)).find(({ id }) => id === 'text_1'))
      .toMatchObject({ padding: 3.5, comb: 13 });
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('[EDT35] a symbology: found by its name, its digits or the keyboard', async () => {
    await page.mouse.click(...(await spot(page, 400, 650))); // otherwise the keys would be typed into an input
    await place(page, 'b', 100, 420);
    await page.keyboard.press('Escape');
    await overlay(page, 'barcode_1').click();
    const symbology = inspector(page).getByRole('combobox', { name: 'Symbology' });
    expect(await symbology.inputValue()).toBe('Code 128');
    await symbology.fill('EAN-13');
    await symbology.press('Enter');
    const stands = async () => (await stored(page)).find(({ id }) => id === 'barcode_1')?.symbology;
    await expect.poll(stands).toBe('ean13');
    expect(await symbology.inputValue()).toBe('EAN-13');
    await symbology.fill('no such code');
    await symbology.blur();
    await inspector(page).getByText('No symbology is called “no such code”.').waitFor();
    expect(await symbology.inputValue()).toBe('no such code');
    await symbology.fill('gs1 matrix');
    await page.getByRole('option', { name: 'GS1 Data Matrix', exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await symbology.press('ArrowDown');
    await symbology.press('ArrowUp');
    await symbology.press('Enter');
    await expect.poll(stands).toBe('gs1datamatrix');
    // Opened without typing, the list has all symbologies in families.
    await symbology.click();
    await page
      .getByRole('group', { name: 'Postal' })
      .getByRole('option', { name: 'USPS Intelligent Mail' })
      .click();
    await expect.poll(stands).toBe('onecode');
  });

  it('[EDT38] an uploaded font: used by the selected text, kept in the draft and drawn by the engine', async () => {
    await page.mouse.click(...(await spot(page, 400, 650)));
    await overlay(page, 'text_1').click();
    const panel = inspector(page);
    const upload = panel.getByLabel('Upload font…');
    await upload.setInputFiles({ name: 'a.ttf', mimeType: 'font/ttf', buffer: Buffer.from('no font') });
    await page.getByText('a.ttf cannot be used: the file is not a TrueType or OpenType font.').waitFor();
    await upload.setInputFiles(TINOS);
    await expect.poll(() => panel.getByLabel('Font', { exact: true }).inputValue()).toBe('Tinos');
    const browserHasIt = () =>
      page.evaluate(`document.fonts.check('12px "Project Tinos"', 'a')
      && [...document.fonts].some(({ family }) => family.includes('Project Tinos'))`);
    await expect.poll(browserHasIt).toBe(true);
    await expect
      .poll(async () => (await readDraftWork<{ layout: { fonts: unknown } }>(page)).layout.fonts)
      .toEqual([{ name: 'Tinos', regular: 'assets/Tinos_400Regular.ttf' }]);
    await page.reload();
    await overlay(page, 'text_1').waitFor();
    await expect.poll(browserHasIt).toBe(true);
    await showPreview(page);
  });
});
