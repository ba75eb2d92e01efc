import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { LayoutInput } from '#fill/package/layout-schema.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { readDraftWork } from '../support/editor-drafts.ts';
import { chooseFiles, openProject, showPreview } from '../support/editor-story.ts';
import { detectedOn, flatForm, print } from '../support/flat-form.ts';
import { formPdf } from '../support/form-source.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { prepareForTest } from '../support/prepared.ts';
import { type ReadText, readPdf } from '../support/read-pdf.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';

/** Flat forms from the dropped files to the filled document. */
const review = (page: Page) => page.getByRole('region', { name: 'Proposed fields', exact: true });
const entries = (page: Page) =>
  review(page)
    .locator('[data-main]')
    .evaluateAll((all) =>
      all.map((one) => [...one.children].map((part) => part.textContent?.trim()).join(' | ')),
    );

const shownDigest = (page: Page) => page.getByTestId('sha256').textContent();

/** Opens the preview and reads the document it shows: the engine makes the same bytes from the stored layout. */
async function filledTexts(page: Page, source: Uint8Array, ...values: string[]) {
  await showPreview(page);
  let made: Uint8Array = new Uint8Array();
  // The draft is written after the change, and the preview is made after it.
  await expect
    .poll(async () => {
      const { layout } = await readDraftWork<{ layout: LayoutInput }>(page);
      made = (await prepareForTest(source, layout)).pdf(...values);
      return createHash('sha256').update(made).digest('hex') === (await shownDigest(page));
    })
    .toBe(true);
  const [first] = await readPdf(made);
  return { texts: first?.texts ?? [], made };
}

/** The position of the text that was filled in, which the blank form does not have. */
const placeOf = (texts: readonly ReadText[], text: string) => texts.find((one) => one.text === text);

const boxes = flatForm([
  print.text(72, 72, 'Membership', 18),
  print.text(72, 120, '1. Last name:'),
  print.box(160, 108, 200, 18),
  print.text(72, 150, '2. First name:'),
  print.box(160, 138, 200, 18),
  print.text(72, 190, 'Home address'),
  print.box(72, 195, 288, 60),
]);
const lines = flatForm([
  print.text(72, 72, 'Receipt', 18),
  print.text(72, 120, 'Received from: ______________________________'),
  print.text(72, 150, 'Town'),
  print.dotted(110, 151, 300),
  print.line(72, 200, 272),
  print.text(72, 208, 'Place and date', 7),
]);
const marks = flatForm([
  print.text(72, 72, 'Order', 18),
  print.text(72, 120, 'Customer no.'),
  ...Array.from({ length: 6 }, (_, at) => print.box(160 + 16 * at, 107, 16, 18)),
  print.box(72, 141, 10, 10),
  print.text(88, 150, 'Newsletter'),
  print.text(72, 180, 'Are you insured?'),
  print.box(180, 171, 10, 10),
  print.text(194, 180, 'Yes'),
  print.box(240, 171, 10, 10),
  print.text(254, 180, 'No'),
]);

describe('field detection', () => {
  const editor = useSignedInEditor();
  const open = async (pdf: Uint8Array, csv: string) => {
    const page = await editor.openPage();
    const files = [
      { name: 'form.pdf', bytes: pdf },
      { name: 'rows.csv', bytes: csv },
    ];
    await openProject(page, editor.app.url, ...files);
    return page;
  };

  it('[EDT87][EDT88][EDT89] boxes with labels: proposed on opening, reviewed by keyboard, accepted in one step', async () => {
    const page = await open(boxes, 'Last name,first_name,Address\r\nCarter,Ada,12 High Street\r\n');
    await page.locator('[data-proposal]').nth(2).waitFor();
    await page.getByText('3 with a column').waitFor();
    expect(await entries(page)).toEqual([
      'Last name | Text · Last name',
      'First name | Text · first_name',
      'Home address | Text · Address Guess',
    ]);
    // Nothing is part of the layout yet.
    expect(await page.locator('[data-overlay]').count()).toBe(0);
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
      expect(await accessibilityFaults(page)).toEqual([]);
    }
    // Focus in the list marks the box on the page, and a press on a box moves the focus to its entry.
    await review(page).locator('[data-main]').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-proposal="1-1"][data-active="true"]').waitFor();
    await page.locator('[data-proposal="1-2"]').click();
    expect(await page.evaluate("document.activeElement.closest('[data-item]')?.dataset.item")).toBe('1-2');
    await page.getByText('A guess: the name is similar, not equal.').waitFor();
    await review(page).getByLabel('Name', { exact: true }).fill('Street');
    await review(page)
      .getByLabel('Column', { exact: true })
      .selectOption({ label: 'Address: 12 High Street' });
    await review(page).locator('[data-main]').first().focus();
    await page.keyboard.press('n');
    await page.getByText('2 found').waitFor();
    await page.keyboard.press('y');
    await page.locator('[data-overlay="First name"]').waitFor();
    await page.keyboard.press('y');
    await page.locator('[data-overlay="Street"]').waitFor();
    expect(await page.locator('[data-proposal]').count()).toBe(0);
    // The rejected place can be found again, the accepted ones are not proposed twice. All of it is undone in one step.
    await page.getByRole('button', { name: 'Find fields' }).click();
    await page.getByText('1 found').waitFor();
    await page.getByRole('button', { name: 'Accept all (1)' }).click();
    await page.locator('[data-overlay="Last name"]').waitFor();
    const { texts } = await filledTexts(page, boxes, 'Carter', 'Ada', '12 High Street');
    for (const [text, top, bottom] of [
      ['Carter', 108, 126],
      ['Ada', 138, 156],
    ] as const) {
      const found = placeOf(texts, text);
      expect(found?.x).toBeGreaterThan(160);
      expect(found?.y).toBeGreaterThan(top);
      expect(found?.y).toBeLessThan(bottom);
    }
    expect(placeOf(texts, '12 High Street')?.y).toBeLessThan(215);
    expect(editor.browser.faults).toEqual([]);
  });

  it('[EDT87][EDT89] underscores and dotted lines: accepted together, the values stand on the lines; undo removes them', async () => {
    const page = await open(lines, 'Received from,Town,Place and date\r\nAda Carter,Brno,"Brno, 1 May"\r\n');
    await page.getByRole('button', { name: 'Accept all (3)' }).click();
    await page.locator('[data-overlay]').nth(2).waitFor();
    await page.keyboard.press('Control+z');
    await page.locator('[data-overlay]').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+z');
    await page.locator('[data-overlay]').nth(2).waitFor();
    const { texts } = await filledTexts(page, lines, 'Ada Carter', 'Brno', 'Brno, 1 May');
    for (const [text, line, from] of [
      ['Ada Carter', 121, 140],
      ['Brno', 151, 110],
      ['Brno, 1 May', 200, 72],
    ] as const) {
      const found = placeOf(texts, text);
      expect(found?.x).toBeGreaterThanOrEqual(from);
      expect(found?.x).toBeLessThan(from + 10);
      expect(found?.y).toBeGreaterThan(line - 12);
      expect(found?.y).toBeLessThan(line + 1);
    }
    expect(editor.browser.faults).toEqual([]);
  });

  it('[EDT87][EDT89] combs, check boxes and yes or no: become comb text, check marks and one choice', async () => {
    const page = await open(marks, 'Customer no,Newsletter,Are you insured?\r\nK4711X,yes,No\r\n');
    await page.getByRole('button', { name: 'Accept all (3)' }).waitFor();
    expect(await entries(page)).toEqual([
      'Customer no | Comb of 6 · Customer no',
      'Newsletter | Check mark · Newsletter',
      'Are you insured? | Choice of 2 · Are you insured?',
    ]);
    await page.getByRole('button', { name: 'Accept all (3)' }).click();
    await page.locator('[data-overlay]').nth(3).waitFor();
    const { texts, made } = await filledTexts(page, marks, 'K4711X', 'yes', 'No');
    const digits = [...'K4711X'].map((character, at) =>
      texts.find(
        ({ text, x, y }) =>
          text === character && x > 160 + 16 * at && x < 176 + 16 * at && y > 107 && y < 125,
      ),
    );
    expect(digits.every((digit) => digit !== undefined)).toBe(true);
    // Only the box for Yes is still empty.
    const empty = (await detectedOn(made)).filter(({ kind }) => kind === 'check' || kind === 'choice');
    expect(empty.map(({ name }) => name)).toEqual(['Yes']);
    expect(editor.browser.faults).toEqual([]);
  });

  it('[EDT87] a form with fields of its own, and a page without places to write: nothing is proposed', async () => {
    const page = await open(pagesPdf([{}]), 'Name\r\nAda\r\n');
    await page.getByRole('button', { name: 'Find fields' }).last().click();
    await page.getByText('No new fields found.').waitFor();
    expect(await page.locator('[data-proposal]').count()).toBe(0);
    // The form's own fields are used where they exist.
    await openProject(page, editor.app.url, { name: 'own.pdf', bytes: formPdf() });
    expect(await page.getByRole('button', { name: 'Find fields' }).count()).toBe(0);
    // Without rows, the search is an offer of the start screen.
    await page.goto(editor.app.url);
    await chooseFiles(page, { name: 'form.pdf', bytes: boxes });
    await page.getByRole('button', { name: 'Find fields' }).click();
    await page.locator('[data-proposal]').nth(2).waitFor();
    await page.getByRole('button', { name: 'Reject all' }).click();
    expect(await page.locator('[data-proposal]').count()).toBe(0);
  });
});
