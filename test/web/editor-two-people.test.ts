import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  await asked.getByRole('button', { name: 'Save mine as a copy' }).click();
  await told(ada, 'Saved version 1');
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
