import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DraftAnswer } from '#bulkfill/operator-contract.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { ConsoleClient } from '../support/console-client.ts';
import { overlay, place } from '../support/editor-canvas.ts';
import { createProject, storedProjects } from '../support/library-projects.ts';
import { useSignedInEditor } from '../support/signed-in-editor.ts';
import { putSession } from '../support/web-app.ts';
import { openBrowser, type WebBrowser } from '../support/web-page.ts';

const PATIENT = { timeout: 60_000 };
const editor = useSignedInEditor();
let other: WebBrowser;
beforeAll(async () => {
  other = await openBrowser(editor.app.url);
});
afterAll(() => other?.close());

/** Opens a page of the other browser, signed in as a session. */
async function openOther(session: ConsoleClient, address: string): Promise<Page> {
  await other.context.clearCookies();
  await putSession(other.context, session);
  const page = await other.open(editor.app.url);
  await page.evaluate("localStorage.setItem('rowpress.account', 'main')");
  await page.goto(address);
  return page;
}

async function invite(name: string): Promise<ConsoleClient> {
  const invited = await editor.app.operator.post<{ link: string }>('/invitations', {
    name,
    role: 'designer',
    account: 'main',
  });
  const session = new ConsoleClient(editor.app);
  expect((await session.signIn(invited.body.link)).status).toBe(200);
  return session;
}

const told = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text).waitFor(PATIENT);
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const alsoOpen = (page: Page) =>
  page
    .getByRole('banner')
    .getByText(/^Also open:/)
    .textContent();
/** The page reports at once when it becomes visible, so that a test need not wait for its next report. */
const look = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
const headerPlaces = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('header button[aria-label], header input, header select, header fieldset')]
    .map((it) => [it.getAttribute('aria-label') ?? it.localName, Math.round(it.getBoundingClientRect().left * 10) / 10].join(' '))`);

it('[EDT205] [EDT208] [EDT209] two people with one project: see each other, and neither save is lost', async () => {
  const { app } = editor;
  const id = await createProject(app, 'Shared');
  const address = `${app.url}/editor/${id}`;
  const ada = await editor.openPage();
  await ada.goto(address);
  await overlay(ada, 'name').waitFor(PATIENT);
  await ada.getByText('Saved', { exact: true }).waitFor(PATIENT);
  const before = await headerPlaces(ada);

  const grace = await openOther(await invite('Grace'), address);
  await overlay(grace, 'name').waitFor(PATIENT);
  await expect.poll(() => alsoOpen(grace), PATIENT).toMatch(/^Also open: \S.* in \w+ on Linux$/);
  await look(ada);
  await expect.poll(() => alsoOpen(ada), PATIENT).toMatch(/^Also open: Grace in \w+ on Linux$/);
  expect(await headerPlaces(ada)).toEqual(before);

  await place(ada, 'q', 300, 300);
  await overlay(ada, 'qr_1').waitFor();
  await place(grace, 'c', 200, 200);
  await overlay(grace, 'check_1').waitFor();
  await save(grace);
  await told(grace, 'Saved version 2');
  await look(ada);
  await ada.getByRole('button', { name: 'Version 2 was saved' }).waitFor(PATIENT);
  await save(ada);
  const asked = ada.getByRole('dialog', { name: 'A newer version was saved' });
  await asked.getByText(/Version 2, saved by Grace on/).waitFor(PATIENT);
  await asked.getByRole('button', { name: 'Compare' }).click();
  await asked.getByText('QR code QR·1 was added').waitFor(PATIENT);
  await asked.getByText(/Check .+ was removed/).waitFor(PATIENT);
  const calls: string[] = [];
  ada.on('request', (request) => calls.push(`${request.method()} ${request.url()}`));
  await asked.getByRole('button', { name: 'Save mine as a copy' }).click();
  await told(ada, 'Saved version 1');
  // The copy must not become a tab or a draft of its original.
  const created = calls.findIndex((call) => /^POST .*\/bulkfill\/projects$/.test(call));
  const later = calls.slice(created).filter((call) => call.includes(id) && !call.startsWith('DELETE'));
  expect([created >= 0, later]).toEqual([true, []]);
  expect(await storedProjects(app)).toEqual(['Shared (copy) 1', 'Shared 2']);

  // Ada left the shared project with her copy, so Grace is alone in it.
  await expect
    .poll(
      () =>
        grace
          .getByText(/^Also open:/)
          .count()
          .then(async (count) => {
            if (count > 0) await look(grace);
            return count;
          }),
      PATIENT,
    )
    .toBe(0);
  expect([...editor.browser.faults, ...other.faults]).toEqual([]);
});

/** The fields of the draft on the server; null if there is none. */
async function draftFields(id: string): Promise<string[] | null> {
  const { draft } = (
    await editor.app.operator.get<DraftAnswer>(`/acting/bulkfill/projects/${id}/draft`, {
      'x-rowpress-account': 'main',
    })
  ).body;
  if (draft === null) return null;
  return (draft.content.layout as { overlays: { id: string }[] }).overlays.map((field) => field.id);
}

it('[EDT210] [EDT212] one person with two browsers: the draft follows, and neither overwrites the other', async () => {
  const { app } = editor;
  const id = await createProject(app, 'Follows');
  const address = `${app.url}/editor/${id}`;
  const here = await editor.openPage();
  await here.goto(address);
  await overlay(here, 'name').waitFor(PATIENT);
  await place(here, 'q', 300, 300);
  await overlay(here, 'qr_1').waitFor();
  await here.getByText('Draft saved on the server').waitFor(PATIENT);
  expect(await draftFields(id)).toEqual(['name', 'qr_1']);

  const there = await openOther(app.operator, address);
  await overlay(there, 'qr_1').waitFor(PATIENT);
  await there.getByText('Unsaved changes', { exact: true }).waitFor(PATIENT);
  await place(there, 'c', 200, 200);
  await expect.poll(() => draftFields(id), PATIENT).toEqual(['name', 'qr_1', 'check_1']);
  await place(here, 'b', 200, 400);
  const asked = here.getByRole('dialog', { name: 'Changed in another browser' });
  await asked.waitFor(PATIENT);
  expect(await accessibilityFaults(here)).toEqual([]);
  await asked.getByRole('button', { name: 'Compare' }).click();
  await asked.getByText(/Check .+ was removed/).waitFor();
  await here.keyboard.press('Escape');
  expect(await draftFields(id)).toEqual(['name', 'qr_1', 'check_1']);
  await here.getByRole('button', { name: 'Changed in another browser' }).click();
  await asked.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(() => draftFields(id), PATIENT).toEqual(['name', 'qr_1', 'barcode_1']);

  await place(there, 't', 300, 500);
  const askedThere = there.getByRole('dialog', { name: 'Changed in another browser' });
  await askedThere.getByRole('button', { name: 'Load the other changes' }).click(PATIENT);
  await overlay(there, 'barcode_1').waitFor(PATIENT);
  await expect.poll(() => overlay(there, 'check_1').count()).toBe(0);
  await save(there);
  await told(there, 'Saved version 2');
  await expect.poll(() => draftFields(id), PATIENT).toBeNull();
  expect([...editor.browser.faults, ...other.faults]).toEqual([]);
});

it('[EDT210] [EDT212] a save here after changes in another browser: the draft of the other browser stays', async () => {
  const { app } = editor;
  const id = await createProject(app, 'Kept');
  const address = `${app.url}/editor/${id}`;
  const here = await editor.openPage();
  await here.goto(address);
  await overlay(here, 'name').waitFor(PATIENT);
  await place(here, 'q', 300, 300);
  await here.getByText('Draft saved on the server').waitFor(PATIENT);
  const there = await openOther(app.operator, address);
  await overlay(there, 'qr_1').waitFor(PATIENT);
  await place(there, 'c', 200, 200);
  await expect.poll(() => draftFields(id), PATIENT).toEqual(['name', 'qr_1', 'check_1']);
  await there.close();
  const deleted = here.waitForResponse(
    (answer) => answer.request().method() === 'DELETE' && answer.url().includes('/draft'),
    PATIENT,
  );
  await save(here);
  await told(here, 'Saved version 2');
  await deleted;
  expect(await draftFields(id)).toEqual(['name', 'qr_1', 'check_1']);
});

it('[EDT210] another project opened right after a save: leaves no draft behind', async () => {
  const { app } = editor;
  const [first, next] = [await createProject(app, 'Saved at once'), await createProject(app, 'Opened next')];
  const page = await editor.openPage();
  await page.goto(`${app.url}/editor/${next}`);
  await overlay(page, 'name').waitFor(PATIENT);
  await page.getByRole('link', { name: 'Rowpress start page' }).click();
  await page
    .getByRole('region', { name: /^Projects/ })
    .getByRole('link', { name: /Saved at once/ })
    .click(PATIENT);
  await overlay(page, 'name').waitFor(PATIENT);
  await place(page, 'q', 300, 300);
  await page.getByText('Draft saved on the server').waitFor(PATIENT);
  await place(page, 'c', 200, 200);
  await overlay(page, 'check_1').waitFor();
  await save(page);
  await told(page, 'Saved version 2');
  await page.evaluate('history.go(-2)');
  await page.waitForURL(`**/editor/${next}`);
  await overlay(page, 'check_1').waitFor({ state: 'detached', ...PATIENT });
  await expect.poll(() => draftFields(first), PATIENT).toBeNull();
});

it('[EDT210] a page that is closed right after a change: the change is on the server', async () => {
  const { app } = editor;
  const id = await createProject(app, 'Closed');
  const page = await editor.openPage();
  await page.goto(`${app.url}/editor/${id}`);
  await overlay(page, 'name').waitFor(PATIENT);
  await place(page, 'q', 300, 300);
  await page.getByText('Draft saved on the server').waitFor(PATIENT);
  await place(page, 'c', 200, 200);
  await overlay(page, 'check_1').waitFor();
  await page.goto('about:blank');
  await expect.poll(() => draftFields(id), PATIENT).toEqual(['name', 'qr_1', 'check_1']);
});

it('[EDT212] a loaded draft with another name: the message undoes both', async () => {
  const { app } = editor;
  const id = await createProject(app, 'Old name');
  const here = await editor.openPage();
  await here.goto(`${app.url}/editor/${id}`);
  await overlay(here, 'name').waitFor(PATIENT);
  await place(here, 'q', 300, 300);
  await overlay(here, 'qr_1').waitFor();
  await here.getByLabel('Project name').fill('New name');
  await here.getByLabel('Project name').press('Enter');
  const nameKept = async () =>
    (
      await app.operator.get<DraftAnswer>(`/acting/bulkfill/projects/${id}/draft`, {
        'x-rowpress-account': 'main',
      })
    ).body.draft?.content.name;
  await expect.poll(nameKept, PATIENT).toBe('New name');

  const there = await openOther(app.operator, `${app.url}/editor/${id}`);
  await overlay(there, 'qr_1').waitFor(PATIENT);
  await there.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click(PATIENT);
  await there.getByText('Saved', { exact: true }).waitFor(PATIENT);
  expect(await there.getByLabel('Project name').inputValue()).toBe('Old name');
});

it('[EDT213] a project without changes whose draft cannot be read: nothing is said until there is a change', async () => {
  const { app } = editor;
  const id = await createProject(app, 'Unread');
  const page = await editor.openPage();
  let failures = 0;
  await page.route('**/draft', (route) => {
    failures += 1;
    return route.abort();
  });
  await page.goto(`${app.url}/editor/${id}`);
  await overlay(page, 'name').waitFor(PATIENT);
  await expect.poll(() => failures, PATIENT).toBeGreaterThan(1);
  expect(await page.getByText('Draft only in this browser').count()).toBe(0);
  await place(page, 'q', 300, 300);
  await told(page, 'The draft could not be stored on the server.');
  await page.getByText('Draft only in this browser').waitFor();
});

it('[EDT213] a server that cannot be reached: the draft stays in this browser, and is stored later', async () => {
  const { app } = editor;
  const id = await createProject(app, 'Offline');
  const page = await editor.openPage();
  await page.goto(`${app.url}/editor/${id}`);
  await overlay(page, 'name').waitFor(PATIENT);
  await page.route('**/draft', (route) => route.abort());
  await place(page, 'q', 300, 300);
  await told(page, 'The draft could not be stored on the server.');
  await page.getByText('Draft only in this browser').waitFor();
  await page.unroute('**/draft');
  await page.getByText('Draft saved on the server').waitFor(PATIENT);
  expect(await draftFields(id)).toEqual(['name', 'qr_1']);
  await page.getByRole('button', { name: /^Undo/ }).first().click();
  await expect.poll(() => draftFields(id), PATIENT).toBeNull();
});
