import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { overlay, place } from '../support/editor-canvas.ts';
import { readDraftThumbnail, readDraftWork } from '../support/editor-drafts.ts';
import { createProject, storedProjects } from '../support/library-projects.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';

const PATIENT = { timeout: 60_000 };

/**
 * Lets a test hold what the browser's storage returns: while `holds(key, mode)` is true, a read waits for `release()`.
 * The open database requests of `idb-keyval` have one listener each, `onsuccess`.
 */
const HOLD_READS = `
  const held = [];
  window.holds = (key) => window.name === 'hold' && key.endsWith('/pictures');
  window.heldReads = () => held.length;
  window.release = () => {
    window.holds = () => false;
    for (const resolve of held) resolve();
  };
  const read = IDBObjectStore.prototype.get;
  IDBObjectStore.prototype.get = function (key) {
    const request = read.call(this, key);
    if (!window.holds(String(key), this.transaction.mode)) return request;
    const released = new Promise((resolve) => held.push(resolve));
    const arrived = new Promise((resolve) => request.addEventListener('success', resolve));
    Object.defineProperty(request, 'onsuccess', {
      set: (listener) => Promise.all([arrived, released]).then(([event]) => listener.call(request, event)),
    });
    return request;
  };`;

/** Receives no message of other tabs. */
const DEAF = 'BroadcastChannel.prototype.addEventListener = () => {};';

describe('a slow browser and a slow server', () => {
  const editor = useSignedInEditor();
  const address = (id: string) => `${editor.app.url}/editor/${id}`;
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
  const told = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Messages' }).getByText(text).waitFor(PATIENT);
  const fieldsKept = async (page: Page) =>
    (await readDraftWork<{ layout: { overlays: { id: string }[] } }>(page)).layout.overlays.map(
      ({ id }) => id,
    );
  /** Opens a project whose draft is in this browser. Its rows, choices and version are not read until `release`. */
  const openUnread = async (name: string): Promise<Page> => {
    const id = await createProject(editor.app, name);
    const page = await editor.openPage();
    await page.addInitScript(HOLD_READS);
    await page.goto(address(id));
    await overlay(page, 'name').waitFor(PATIENT);
    await page.evaluate("window.name = 'hold'");
    await page.reload();
    await overlay(page, 'name').waitFor(PATIENT);
    await expect.poll(() => page.evaluate('window.heldReads()')).toBe(1);
    await page.getByLabel('Account that jobs run under').getByText('main').waitFor({ state: 'attached' });
    return page;
  };
  const release = (page: Page) => page.evaluate('window.release()');
  const visit = async (page: Page, name: string) => {
    await page.getByRole('link', { name: 'Rowpress start page' }).click();
    await page
      .getByRole('region', { name: /^Projects/ })
      .getByRole('listitem')
      .filter({ has: page.getByText(name, { exact: true }) })
      .getByRole('link')
      .click();
    await expect.poll(() => page.getByLabel('Project name').inputValue(), PATIENT).toBe(name);
    await overlay(page, 'name').waitFor(PATIENT);
  };

  it('[EDT202] Save before the draft is read: saves the next version, not another project', async () => {
    const page = await openUnread('Saved early');
    await place(page, 'q', 300, 300);
    await overlay(page, 'qr_1').waitFor();
    await save(page);
    await page.getByRole('button', { name: 'Saving…' }).waitFor();
    await release(page);
    await told(page, 'Saved version 2');
    expect(await storedProjects(editor.app)).toContain('Saved early 2');
  });

  it('[EDT201] a change before the draft is read: is stored, and undoing it leaves nothing to save', async () => {
    const page = await openUnread('Changed early');
    await place(page, 'q', 300, 300);
    await overlay(page, 'qr_1').waitFor();
    await release(page);
    await expect.poll(() => fieldsKept(page), PATIENT).toEqual(['name', 'qr_1']);
    await page.getByText('Unsaved changes').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('Saved', { exact: true }).waitFor();
  });

  it('[EDT201] a change while a newer version is loaded: the editor asks, and the change stays', async () => {
    const id = await createProject(editor.app, 'Newer');
    const page = await editor.openPage();
    await page.goto(address(id));
    await overlay(page, 'name').waitFor(PATIENT);
    const form = new FormData();
    form.set('name', 'Newest');
    const headers = { 'x-rowpress-account': 'main' };
    await editor.app.operator.request('PUT', `/acting/bulkfill/projects/${id}`, { body: form, headers });
    const held: Route[] = [];
    await page.route(`**/projects/${id}/package*`, (route) => void held.push(route));
    await page.reload();
    await overlay(page, 'name').waitFor(PATIENT);
    await expect.poll(() => held.length, PATIENT).toBe(1);
    await place(page, 'q', 300, 300);
    await overlay(page, 'qr_1').waitFor();
    await held[0]?.continue();
    await page.getByRole('dialog', { name: 'A newer version was saved' }).waitFor(PATIENT);
    expect(await overlay(page, 'qr_1').count()).toBe(1);
  });

  it('[EDT201] a change right before another project opens: is in the draft', async () => {
    await createProject(editor.app, 'Left at once');
    await createProject(editor.app, 'Visited');
    const page = await editor.openPage();
    // The pause before a change is stored never ends.
    await page.addInitScript(`const wait = window.setTimeout;
      window.setTimeout = (work, ms, ...rest) => (ms === 250 && window.isHurried ? 0 : wait(work, ms, ...rest));`);
    await page.goto(editor.app.url);
    await visit(page, 'Left at once');
    await page.evaluate('window.isHurried = true');
    await place(page, 'q', 300, 300);
    await overlay(page, 'qr_1').waitFor();
    await visit(page, 'Visited');
    expect(await overlay(page, 'qr_1').count()).toBe(0);
    await visit(page, 'Left at once');
    await overlay(page, 'qr_1').waitFor(PATIENT);
  });

  it('[EDT211] a page that is left before its draft is written: keeps no late change if there was none', async () => {
    const id = await createProject(editor.app, 'Only read');
    const page = await editor.openPage();
    // The pause before a draft is written never ends. The picture is drawn after the draft was read.
    await page.addInitScript(`const wait = window.setTimeout;
      window.setTimeout = (work, ms, ...rest) => (ms === 250 ? 0 : wait(work, ms, ...rest));
      HTMLCanvasElement.prototype.toBlob = (done) => { window.isDrawn = true; done(new Blob(['own'])); };`);
    await page.goto(address(id));
    await overlay(page, 'name').waitFor(PATIENT);
    await expect.poll(() => page.evaluate('window.isDrawn'), PATIENT).toBe(true);
    await page.goto(editor.app.url);
    expect(await page.evaluate(`localStorage.getItem('rowpress.late.${id}')`)).toBeNull();
  });

  it('[EDT200] another project opened while a picture is drawn: keeps its own picture', async () => {
    await createProject(editor.app, 'Drawn late');
    const id = await createProject(editor.app, 'Drawn first');
    const page = await editor.openPage();
    await page.addInitScript(`let drawings = 0;
      HTMLCanvasElement.prototype.toBlob = function (done) {
        drawings += 1;
        if (drawings === 1) window.drawLate = () => done(new Blob(['late']));
        else done(new Blob(['own']));
      };`);
    await page.goto(editor.app.url);
    await visit(page, 'Drawn late');
    await expect.poll(() => page.evaluate('typeof window.drawLate'), PATIENT).toBe('function');
    await visit(page, 'Drawn first');
    expect(page.url()).toBe(address(id));
    await expect.poll(() => readDraftThumbnail(page), PATIENT).toBe('own');
    await page.evaluate('window.drawLate()');
    await place(page, 'q', 300, 300);
    await expect.poll(() => fieldsKept(page), PATIENT).toEqual(['name', 'qr_1']);
    expect(await readDraftThumbnail(page)).toBe('own');
  });

  it('[EDT9] a write that finds another tab’s change after the draft was opened again: causes no question', async () => {
    const id = await createProject(editor.app, 'Opened again');
    const [page, other] = [await editor.openPage(), await editor.openPage()];
    await page.addInitScript(DEAF);
    await page.addInitScript(HOLD_READS);
    await page.goto(address(id));
    await overlay(page, 'name').waitFor(PATIENT);
    await place(page, 'c', 300, 500);
    await save(page);
    await told(page, 'Saved version 2');
    await other.goto(address(id));
    await overlay(other, 'check_1').waitFor(PATIENT);
    await place(other, 'q', 300, 300);
    await expect.poll(() => fieldsKept(other), PATIENT).toEqual(['name', 'check_1', 'qr_1']);

    const write =
      "(key, mode) => mode === 'readwrite' && key.endsWith('/revision') && window.heldReads() === 0";
    await page.evaluate(`void (window.holds = ${write})`);
    await place(page, 'b', 200, 400);
    await expect.poll(() => page.evaluate('window.heldReads()'), PATIENT).toBe(1);
    await page.getByRole('button', { name: 'More ways to save' }).click();
    await page.getByRole('button', { name: 'Versions…' }).click();
    const versions = page.getByRole('dialog', { name: 'Versions' });
    await versions.getByRole('listitem', { name: 'Version 1', exact: true }).getByText('Restore').click();
    await versions.getByRole('button', { name: 'Restore version 1 anyway' }).click();
    // The draft is replaced, and is opened unless that waits for the write.
    const versionKept = async () =>
      (await readDraftWork<{ library: { version: number } }>(page)).library.version;
    await expect.poll(versionKept, PATIENT).toBe(3);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await release(page);
    await told(page, 'Version 1 restored as version 3');
    await expect.poll(() => overlay(page, 'check_1').count(), PATIENT).toBe(0);
    await place(page, 't', 150, 150);
    await expect.poll(() => fieldsKept(page), PATIENT).toEqual(['name', 'text_1']);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('[EDT201] all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(editor.browser.faults).toEqual([]);
  });
});
