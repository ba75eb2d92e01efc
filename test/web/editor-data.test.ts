import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { readDraftWork } from '../support/editor-drafts.ts';
import { digestOfRow, openProject, tab } from '../support/editor-story.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts } from '../support/read-pdf.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';
import { quartersJpeg, turnedJpeg } from '../support/small-jpeg.ts';

const PATIENT = { timeout: 60_000 };
/** The name of the pictures in the stored draft of the open project. */
const KEPT_PICTURES = `new Promise((resolve) => {
  const opening = indexedDB.open('rowpress');
  opening.onsuccess = () => {
    const id = location.pathname.split('/').pop();
    const asked = opening.result.transaction('drafts').objectStore('drafts').get(id + '/pictures');
    asked.onsuccess = () => { opening.result.close(); resolve(asked.result?.name); };
  };
})`;
/** The engine's worker, which holds calls named `held` until `release()`. */
const holding = (name: string | null) => `
  const calls = [];
  globalThis.held = ${JSON.stringify(name)};
  globalThis.release = () => { held = null; for (const send of calls.splice(0)) send(); };
  globalThis.Worker = class extends Worker {
    postMessage(...given) {
      const send = () => super.postMessage(...given);
      if (held !== null && given[0]?.call?.name === held) calls.push(send);
      else send();
    }
  };`;
const letter = { name: 'letter.pdf', bytes: pagesPdf([{}]) };

describe('how the values of rows are read', () => {
  const editor = useSignedInEditor();
  const shown = (page: Page, id: string) => page.locator(`[data-overlay="${id}"]`).textContent();
  const bothThemes = async (page: Page) => {
    const faults: string[] = [];
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
      faults.push(...(await accessibilityFaults(page)));
    }
    return faults;
  };
  const rowsMade = async (page: Page, count: number, answer?: string) => {
    await page.getByRole('button', { name: 'Run options' }).click();
    await page.getByRole('button', { name: `Create ${count} document` }).click();
    if (answer !== undefined) await page.getByRole('button', { name: answer }).click();
    const link = page.getByRole('link', { name: /Download ZIP/ });
    await link.waitFor(PATIENT);
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    return unzipSync(new Uint8Array(await readFile(await download.path())));
  };

  it('[EDT7] changes while the rows of an opened project are still read: stay, and undo keeps the names of the columns', async () => {
    const page = await editor.openPage();
    await page.addInitScript(holding('openRows'));
    const rows = { name: 'people.csv', bytes: 'Name,Town\r\nAda,London\r\n' };
    await openProject(page, editor.app.url, letter, rows);
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.locator('[data-page="1"]').click({ position: { x: 120, y: 120 } });
    await page.locator('[data-overlay="text_1"]').waitFor();
    await page.getByLabel('Project name').fill('Renamed');
    await page.getByLabel('Project name').press('Enter');
    await page.evaluate('release()');
    await tab(page, 'Data').click();
    await page.getByText('1 row · 2 columns').waitFor();
    expect(await page.locator('[data-overlay="text_1"]').count()).toBe(1);
    expect(await page.getByLabel('Project name').inputValue()).toBe('Renamed');
    await page.getByRole('button', { name: /^Undo: / }).click();
    await page.locator('[data-overlay="text_1"]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add Town to the page' }).click();
    await page.locator('[data-overlay="text_1"]').getByText('London').waitFor();
  });

  it('[EDT61] Run while a chosen rows file is still read: waits and uses that file', async () => {
    const page = await editor.openPage();
    await page.addInitScript(holding(null));
    const rows = { name: 'people.csv', bytes: 'Name\r\nAda\r\nKurt\r\n' };
    await openProject(page, editor.app.url, letter, rows);
    await tab(page, 'Data').click();
    await page.getByRole('button', { name: 'Add Name to the page' }).click();
    await page.locator('[data-overlay="text_1"]').getByText('Ada').waitFor();
    await page.evaluate("held = 'seeRows'");
    const buffer = Buffer.from('Name\r\nGrace\r\nNiels\r\nEmmy\r\n');
    await page.getByLabel('Replace').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.evaluate('release()');
    const finished = page.getByRole('dialog', { name: 'Finished' });
    await finished.getByText('All 3 documents created').waitFor(PATIENT);
  });

  it('[EDT45][EDT46][EDT47] dates and decimal signs: shown, asked about, chosen, undone and printed by the server', async () => {
    const page = await editor.openPage();
    const rows =
      'Name,Born,Amount,Since\r\nAda,03/04/2026,"1.234,56",31.12.2025\r\nKurt,05/06/2026,"7,5",unknown\r\n';
    await openProject(page, editor.app.url, letter, { name: 'people.csv', bytes: rows });
    await tab(page, 'Data').click();
    const typeOf = (column: string) =>
      page.getByRole('button', { name: `change how ${column} is read` }).textContent();
    expect(await typeOf('Name')).toBe('Text');
    expect(await typeOf('Amount')).toBe('Number · 1.234,56');
    expect(await typeOf('Born')).toBe('Date · ambiguous');
    // Half of the values do not fit, so this is no date.
    expect(await typeOf('Since')).toBe('Text');
    await page.getByRole('button', { name: 'Add Born to the page' }).click();
    await page.getByLabel('Write the value as').selectOption('date');
    // Nothing is guessed: the value stays as it is.
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('03/04/2026');
    await page.getByText('Born: ambiguous dates').waitFor();
    await page.getByRole('button', { name: 'month/day/year' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('4 March 2026');
    expect(await typeOf('Born')).toBe('Date · month/day/year');
    await page.getByRole('button', { name: 'Undo: Read Born as Date · month/day/year' }).click();
    await page.getByText('Born: ambiguous dates').waitFor();
    await page.getByRole('button', { name: 'change how Born is read' }).click();
    const dialog = page.getByRole('dialog', { name: 'Values of Born' });
    await dialog.getByLabel('Written as').selectOption({ label: 'Number · 1,234.56' });
    await dialog.getByText('2 of 2 values do not fit').waitFor();
    await dialog.getByLabel('Written as').selectOption({ label: 'Date · day/month/year' });
    await dialog.getByText('All 2 values fit.').waitFor();
    expect(await bothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Read them like this' }).click();
    await expect.poll(() => shown(page, 'text_1'), PATIENT).toContain('3 April 2026');
    const inputOf = async () => {
      const { layout } = await readDraftWork<{ layout: { columns: { input?: object }[] } }>(page);
      return layout.columns[1]?.input;
    };
    await expect.poll(inputOf, PATIENT).toEqual({ type: 'date', pattern: 'DD/MM/YYYY' });
    const files = await rowsMade(page, 2);
    expect((await pageTexts(files['row_2.pdf'] ?? new Uint8Array()))[0]).toContain('5 June 2026');
  });

  it('[EDT50][EDT51][EDT52][EDT53][EDT54] a ZIP of pictures: shown, checked, kept, named in the command and sent with a run', async () => {
    const page = await editor.openPage();
    const rows = 'Name,Photo\r\nAda,ada.jpg\r\nKurt,photos/kurt.jpg\r\n';
    await openProject(page, editor.app.url, letter, { name: 'people.csv', bytes: rows });
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await page.locator('[data-page="1"]').click({ position: { x: 120, y: 120 } });
    await page.locator('[data-overlay="image_1"]').waitFor();
    await page
      .getByRole('group', { name: / from$/ })
      .getByRole('button', { name: 'Column' })
      .click();
    await page.getByLabel('Column', { exact: true }).selectOption('column_1');
    await tab(page, 'Data').click();
    const panel = page.getByRole('region', { name: 'Pictures' });
    await panel.getByText('2 names have no picture').waitFor();
    const choose = (name: string, zip: Uint8Array) =>
      panel
        .getByLabel('Choose a ZIP', { exact: true })
        .setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(zip) });
    await choose('bad.zip', zipSync({ 'notes.txt': new Uint8Array([1, 2, 3]) }));
    await page.getByText('bad.zip cannot be used: "notes.txt" is neither a PNG nor a JPEG.').waitFor();
    const photo = turnedJpeg(quartersJpeg, 6);
    await choose('photos.zip', zipSync({ in: { 'ada.jpg': photo }, 'other.jpg': quartersJpeg }));
    await panel.getByText('2 files, 1 not used, 1 missing').waitFor();
    await panel.getByText('1 name has no picture').click();
    await panel.getByText('photos/kurt.jpg').waitFor();
    await page.locator('[data-overlay="image_1"] img').waitFor();
    expect(await bothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByTestId('sha256').waitFor();
    const previewed = await digestOfRow(page, 1);
    await page.getByRole('button', { name: 'Design', exact: true }).click();
    // The draft keeps the pictures.
    await expect.poll(() => page.evaluate(KEPT_PICTURES), PATIENT).toBe('photos.zip');
    await page.reload();
    await tab(page, 'Data').click();
    await panel.getByText('2 files, 1 not used, 1 missing').waitFor();
    await page.getByRole('button', { name: 'Run options' }).click();
    await page.getByText('Run from a script').click();
    expect(await page.getByRole('dialog').locator('pre').textContent()).toContain('assets_file=@photos.zip');
    await page.keyboard.press('Escape');
    // The check before the run reports the missing picture.
    const files = await rowsMade(page, 2, 'Run anyway');
    const made = files['row_1.pdf'] ?? new Uint8Array();
    expect(createHash('sha256').update(made).digest('hex')).toBe(previewed);
    expect(Buffer.from(made).includes(Buffer.from(quartersJpeg.subarray(2)))).toBe(true);
    const manifest = JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString());
    expect(manifest.row_results[1].warnings[0].code).toBe('IMAGE_MISSING');
    // A folder replaces the ZIP.
    await page.keyboard.press('Escape');
    const folder = await mkdtemp(join(tmpdir(), 'rp-pictures-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const name of ['ada.jpg', 'kurt.jpg']) await writeFile(join(folder, name), quartersJpeg);
    await panel.locator('input[webkitdirectory]').setInputFiles(folder);
    await panel.getByText('2 files', { exact: true }).waitFor();
  });

  it('all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(editor.browser.faults).toEqual([]);
  });
});
