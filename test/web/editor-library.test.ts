import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accessibilityFaults } from '../support/axe.ts';
import { overlay, place } from '../support/editor-canvas.ts';
import { readDraftWork } from '../support/editor-drafts.ts';
import { csvRows, exportPackage, openProject, tab } from '../support/editor-story.ts';
import { createProject, storedProjects } from '../support/library-projects.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';
import { openBrowser, sidewaysScrolls } from '../support/web-page.ts';

const PATIENT = { timeout: 60_000 };
const editor = useSignedInEditor();

const card = (page: Page, name: string) =>
  page
    .getByRole('region', { name: /^Projects/ })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const cardNames = (page: Page) =>
  page
    .getByRole('region', { name: /^Projects/ })
    .getByRole('listitem')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.querySelector('[title]')?.textContent ?? ''));
const choose = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `More about ${name}`, exact: true }).click();
  await page
    .getByRole('group', { name: `More about ${name}` })
    .getByRole('button', { name: item })
    .click();
};
/** Waits for a message in the corner. */
const told = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text).waitFor(PATIENT);
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const openLetter = async (name: string) => {
  const page = await editor.openPage();
  await openProject(
    page,
    editor.app.url,
    { name: `${name}.pdf`, bytes: pagesPdf([{}]) },
    { name: 'people.csv', bytes: csvRows(2) },
  );
  await place(page, 't', 150, 150);
  await overlay(page, 'text_1').waitFor();
  return page;
};

describe('saving on the server', () => {
  it('[EDT202] the first save: creates a project, and the next one a version', async () => {
    const page = await openLetter('first');
    await save(page);
    await told(page, 'Saved version 1');
    expect(await storedProjects(editor.app)).toContain('first 1');
    expect(page.url()).toMatch(/\/editor\/[0-9a-f-]{36}$/);
    await page.getByText('Saved', { exact: true }).waitFor();
    // The history and the rows of the project stay.
    await page.keyboard.press('Control+z');
    await expect.poll(() => overlay(page, 'text_1').count()).toBe(0);
    await page.getByText('Unsaved changes').waitFor();
    await page.keyboard.press('Control+Shift+z');
    await page.getByText('Saved', { exact: true }).waitFor();
    await place(page, 'q', 300, 300);
    await page.keyboard.press('Control+s');
    await told(page, 'Saved version 2');
    expect(await storedProjects(editor.app)).toContain('first 2');
    await page.reload();
    await overlay(page, 'qr_1').waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    await tab(page, 'Data').click();
    await page.getByText('2 rows · 3 columns').waitFor();
  });

  it('[EDT202] a name that another project has: asks for another one, and saves under it', async () => {
    await createProject(editor.app, 'taken');
    const page = await openLetter('taken');
    await save(page);
    const asked = page.getByRole('dialog', { name: 'Save the project under another name' });
    await asked.getByText('Another project of this account has the name “taken”').waitFor(PATIENT);
    await asked.getByLabel('Project name').fill('not taken');
    await page.keyboard.press('Enter');
    await told(page, 'Saved version 1');
    expect(await page.getByLabel('Project name').inputValue()).toBe('not taken');
    expect(await storedProjects(editor.app)).toEqual(expect.arrayContaining(['not taken 1', 'taken 1']));
  });

  it('[EDT203] Export .doqlo: downloads the package, which opens with its PDF, and saves nothing', async () => {
    const page = await openLetter('exported');
    const file = await exportPackage(page);
    expect(file.suggestedFilename()).toBe('exported.doqlo');
    await page.getByText('Unsaved changes').waitFor();
    expect(await storedProjects(editor.app)).not.toContain('exported 1');
    const bytes = await readFile(await file.path());
    await page.goto(editor.app.url);
    await page
      .locator('main input[type=file]')
      .first()
      .setInputFiles([
        { name: 'exported.doqlo', mimeType: 'application/octet-stream', buffer: bytes },
        { name: 'exported.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pagesPdf([{}])) },
      ]);
    await overlay(page, 'text_1').waitFor(PATIENT);
  });
});

describe('the library', () => {
  it('[EDT200] the projects of the account: are shown with a picture, found by name and column, and sorted', async () => {
    const { app } = editor;
    await app.operator.post('/accounts', { name: 'grid' });
    for (const name of ['Beta', 'Älpha', 'Gamma']) await createProject(app, name, 'grid');
    const page = await editor.openPage();
    await page.goto(app.url);
    await page.getByLabel('Account that jobs run under').selectOption('grid');
    await expect.poll(() => cardNames(page), PATIENT).toEqual(['Gamma', 'Älpha', 'Beta']);
    const picture = card(page, 'Beta').locator('img');
    await expect
      .poll(
        () => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
        PATIENT,
      )
      .toBe(400);
    await page.getByLabel('Sort projects').selectOption('Name');
    await expect.poll(() => cardNames(page)).toEqual(['Älpha', 'Beta', 'Gamma']);
    await page.getByLabel('Search projects').fill('alp');
    await expect.poll(() => cardNames(page)).toEqual(['Älpha']);
    await page.getByLabel('Search projects').fill('nothing');
    await page.getByText('No project matches').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await expect.poll(() => cardNames(page)).toHaveLength(3);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('Account that jobs run under').selectOption('main');
  });

  it('[EDT204] rename, duplicate and delete with undo: change the library', async () => {
    const { app } = editor;
    await createProject(app, 'Old name');
    const page = await editor.openPage();
    await page.goto(app.url);
    await card(page, 'Old name').waitFor(PATIENT);
    await choose(page, 'Old name', 'Rename');
    const dialog = page.getByRole('dialog', { name: 'Rename Old name' });
    await dialog.getByLabel('Project name').fill('New name');
    await page.keyboard.press('Enter');
    await card(page, 'New name').waitFor(PATIENT);
    await choose(page, 'New name', 'Duplicate');
    await card(page, 'New name (copy)').waitFor(PATIENT);
    await choose(page, 'New name', 'Delete');
    await expect.poll(() => card(page, 'New name').count(), PATIENT).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await card(page, 'New name').waitFor(PATIENT);
    expect(await storedProjects(app)).toEqual(expect.arrayContaining(['New name (copy) 1', 'New name 2']));

    await choose(page, 'New name (copy)', 'Delete');
    await expect.poll(() => card(page, 'New name (copy)').count(), PATIENT).toBe(0);
    await page.getByRole('button', { name: 'Recently deleted' }).click();
    await page.getByRole('button', { name: 'Restore New name (copy)' }).click();
    await page.getByText('Nothing to restore').waitFor();
    await page.keyboard.press('Escape');
    await card(page, 'New name (copy)').waitFor(PATIENT);
  });

  it('[EDT201] a project of the library: opens in another browser, and saves its next version there', async () => {
    const { app } = editor;
    const id = await createProject(app, 'Travels');
    const other = await openBrowser(app.url);
    onTestFinished(() => other.close());
    await app.signIn(other.context);
    const page = await other.open(app.url);
    await page.getByLabel('Account that jobs run under').selectOption('main');
    await card(page, 'Travels').getByRole('link').click();
    await page.locator('[data-page="1"] canvas').waitFor(PATIENT);
    expect(page.url()).toBe(`${app.url}/editor/${id}`);
    await page.getByText('Saved', { exact: true }).waitFor();
    await place(page, 'q', 300, 300);
    await save(page);
    await told(page, 'Saved version 2');
    await page.getByRole('link', { name: 'Rowpress start page' }).click();
    await card(page, 'Travels').getByText('Version 2').waitFor(PATIENT);
    // It is on the server, so it is not listed as a draft of this browser.
    expect(await page.getByRole('heading', { name: 'Drafts in this browser' }).count()).toBe(0);
    expect(other.faults).toEqual([]);
  });

  it('[EDT201] a newer version on the server: replaces a draft without changes', async () => {
    const { app } = editor;
    const id = await createProject(app, 'Newer');
    const page = await editor.openPage();
    await page.goto(`${app.url}/editor/${id}`);
    await page.locator('[data-page="1"] canvas').waitFor(PATIENT);
    const form = new FormData();
    form.set('name', 'Newest');
    const headers = { 'x-rowpress-account': 'main' };
    const renamed = await app.operator.request('PUT', `/acting/bulkfill/projects/${id}`, {
      body: form,
      headers,
    });
    expect(renamed.status).toBe(200);
    await page.reload();
    await expect.poll(() => page.getByLabel('Project name').inputValue(), PATIENT).toBe('Newest');
    const work = await readDraftWork<{ library: unknown }>(page);
    expect(work.library).toEqual({ account: 'main', version: 2 });
  });

  it('[EDT201] a project that was deleted on the server: the draft of this browser is unsaved work again', async () => {
    const { app } = editor;
    const id = await createProject(app, 'Vanishes');
    const page = await editor.openPage();
    await page.goto(`${app.url}/editor/${id}`);
    await page.locator('[data-page="1"] canvas').waitFor(PATIENT);
    await page.goto(app.url);
    await card(page, 'Vanishes').waitFor(PATIENT);
    await app.operator.request('DELETE', `/acting/bulkfill/projects/${id}`, {
      headers: { 'x-rowpress-account': 'main' },
    });
    await page.reload();
    const drafts = page.getByRole('region', { name: 'Drafts in this browser' });
    await drafts.getByRole('link', { name: /Vanishes/ }).click();
    await page.getByText('Vanishes is no longer in the account main').waitFor(PATIENT);
    await save(page);
    await told(page, 'Saved version 1');
    expect(await storedProjects(app)).toContain('Vanishes 1');
    expect(page.url()).not.toContain(id);
  });

  it('[EDT200] an empty account, 50 projects, long names and a narrow window: nothing overflows', async () => {
    const { app } = editor;
    await app.operator.post('/accounts', { name: 'empty' });
    await app.operator.post('/accounts', { name: 'many' });
    const long =
      'A certificate of participation with a name as long as a name may be, which is exactly 100 chars';
    await createProject(app, long, 'many');
    const first = await createProject(app, 'Letter 1', 'many');
    for (let number = 2; number <= 49; number += 1)
      await app.operator.request('POST', `/acting/bulkfill/projects/${first}/duplicate`, {
        headers: { 'x-rowpress-account': 'many' },
      });
    const page = await editor.openPage();
    await page.goto(app.url);
    const account = page.getByLabel('Account that jobs run under');
    await account.selectOption('empty');
    await page.getByText('No projects in empty').waitFor(PATIENT);
    await account.selectOption('many');
    await expect.poll(async () => (await cardNames(page)).length, PATIENT).toBe(50);
    for (const width of [1440, 760, 360]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await sidewaysScrolls(page)]).toEqual([width, []]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await account.selectOption('main');
  });

  it('[EDT205] a save for an older version: changes nothing, compares, and keeps both', async () => {
    const { app } = editor;
    const id = await createProject(app, 'Contested');
    const page = await editor.openPage();
    await page.goto(`${app.url}/editor/${id}`);
    await overlay(page, 'name').waitFor(PATIENT);
    await place(page, 'q', 300, 300);
    const headers = { 'x-rowpress-account': 'main' };
    const form = new FormData();
    form.set('name', 'Contested');
    const saved = await app.operator.request('PUT', `/acting/bulkfill/projects/${id}`, {
      body: form,
      headers,
    });
    expect(saved.status).toBe(200);
    await save(page);
    const asked = page.getByRole('dialog', { name: 'A newer version was saved' });
    await asked.getByText(/Version 2, saved by .+ on/).waitFor(PATIENT);
    expect(await accessibilityFaults(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Compare' }).click();
    await asked.getByText('QR code QR·1 was added').waitFor(PATIENT);
    // Closing the question keeps the changes; the next save asks again.
    await page.keyboard.press('Escape');
    await page.getByText('Unsaved changes').waitFor();
    await save(page);
    await asked.getByRole('button', { name: 'Save mine as a copy' }).click();
    await told(page, 'Saved version 1');
    expect(await page.getByLabel('Project name').inputValue()).toBe('Contested (copy)');
    expect(await storedProjects(app)).toEqual(expect.arrayContaining(['Contested 2', 'Contested (copy) 1']));

    // The original opens without the change, and a stale save of it can give way to the newer version.
    await page.goto(`${app.url}/editor/${id}`);
    await overlay(page, 'name').waitFor(PATIENT);
    expect(await overlay(page, 'qr_1').count()).toBe(0);
    await place(page, 'c', 300, 300);
    expect(
      (await app.operator.request('PUT', `/acting/bulkfill/projects/${id}`, { body: form, headers })).status,
    ).toBe(200);
    await save(page);
    await asked.getByRole('button', { name: 'Load the newer version' }).click();
    await told(page, 'Version 3 loaded');
    await expect.poll(() => overlay(page, 'check_1').count()).toBe(0);
    await page.getByText('Saved', { exact: true }).waitFor();
  });

  it('[EDT201] two tabs that open a project for the first time: share one draft, and neither finds a conflict', async () => {
    const { app } = editor;
    const id = await createProject(app, 'Opened twice');
    const [slow, quick] = [await editor.openPage(), await editor.openPage()];
    const held: Route[] = [];
    await slow.route(`**/projects/${id}/package*`, (route) => void held.push(route));
    await slow.goto(`${app.url}/editor/${id}`);
    await expect.poll(() => held.length, PATIENT).toBeGreaterThan(0);
    await quick.goto(`${app.url}/editor/${id}`);
    await overlay(quick, 'name').waitFor(PATIENT);
    for (const route of held) await route.continue();
    await overlay(slow, 'name').waitFor(PATIENT);
    await place(quick, 'q', 300, 300);
    await save(quick);
    await told(quick, 'Saved version 2');
    expect(await quick.getByRole('dialog').count()).toBe(0);
  });

  it('[EDT206] [EDT207] the versions: say what changed, and an earlier one is restored as the next', async () => {
    const { app } = editor;
    const id = await createProject(app, 'Versioned');
    const page = await editor.openPage();
    await page.goto(`${app.url}/editor/${id}`);
    await overlay(page, 'name').waitFor(PATIENT);
    await place(page, 'q', 300, 300);
    await save(page);
    await told(page, 'Saved version 2');
    await overlay(page, 'name').click();
    await page.keyboard.press('Shift+ArrowRight');
    const openVersions = async () => {
      await page.getByRole('button', { name: 'More ways to save' }).click();
      await page.getByRole('button', { name: 'Versions…' }).click();
    };
    await openVersions();
    const drawer = page.getByRole('dialog', { name: 'Versions' });
    const entry = (number: number) =>
      drawer.getByRole('listitem', { name: `Version ${number}`, exact: true });
    await entry(2).getByRole('button', { name: 'What changed' }).click();
    await entry(2).getByText('QR code QR·1 was added').waitFor(PATIENT);
    await entry(2).getByRole('button', { name: 'Compare with the screen' }).click();
    await entry(2)
      .getByText(/Text .+ moved 10 pt right/)
      .waitFor(PATIENT);
    expect(await entry(2).getByRole('button', { name: 'Restore' }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await entry(1).getByRole('button', { name: 'Restore' }).click();
    await drawer.getByText('There are unsaved changes').waitFor();
    await drawer.getByRole('button', { name: 'Restore version 1 anyway' }).click();
    await told(page, 'Version 1 restored as version 3');
    await expect.poll(() => overlay(page, 'qr_1').count()).toBe(0);
    await page.getByText('Saved', { exact: true }).waitFor();
    await openVersions();
    await entry(3).getByText('open').waitFor(PATIENT);
    await entry(3).getByRole('button', { name: 'What changed' }).click();
    await entry(3).getByText('QR code QR·1 was removed').waitFor(PATIENT);
  });

  it('[EDT201] all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(editor.browser.faults).toEqual([]);
  });
});
