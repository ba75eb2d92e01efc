import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Listed } from '../support/console-client.ts';
import { csvRows, type GivenFile, openProject, tab } from '../support/editor-story.ts';
import { flatForm, print } from '../support/flat-form.ts';
import { FORM_FIELD_NAMES, formPdf } from '../support/form-source.ts';
import { pagesPdf } from '../support/page-sources.ts';
import { pageTexts, readFields } from '../support/read-pdf.ts';
import { startWebApp, type WebApp } from '../support/web-app.ts';
import { openBrowser, type WebBrowser } from '../support/web-page.ts';

const PATIENT = { timeout: 60_000 };

/** Counts clicks of the user, and nothing else. */
class Clicks {
  count = 0;
  readonly #page: Page;
  constructor(page: Page) {
    this.#page = page;
  }
  async click(role: 'button' | 'link', name: string | RegExp): Promise<void> {
    this.count += 1;
    await this.#page.getByRole(role, { name, exact: typeof name === 'string' }).click();
  }
}

/** Drops files on the start screen, as a user does. */
async function drop(page: Page, ...files: readonly GivenFile[]): Promise<void> {
  await page.getByText('Drop a PDF here').waitFor();
  const told = files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('base64')]);
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    for (const [name, text] of ${JSON.stringify(told)})
      data.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], name));
    const place = document.querySelector('[aria-label="Open files"]');
    for (const type of ['dragenter', 'dragover', 'drop'])
      place.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`);
}

describe('the first minute', () => {
  let app: WebApp;
  let browser: WebBrowser;
  beforeAll(async () => {
    app = await startWebApp();
    browser = await openBrowser(app.url);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  const open = async (address: string): Promise<Page> => {
    const page = await browser.open(address);
    onTestFinished(() => page.close());
    return page;
  };
  const linkFor = async (name: string) =>
    (await app.operator.post<{ link: string }>('/invitations', { name })).body.link;
  const accounts = async () =>
    (await app.operator.get<Listed<{ name: string }>>('/accounts')).body.items.map(({ name }) => name);

  it('[EDT60] a sign-in link: opens the start screen; in a tab whose console page asked for it, that page', async () => {
    const page = await open(await linkFor('Ada'));
    await page.getByRole('heading', { name: 'One PDF, every row' }).waitFor();
    expect(page.url()).toBe(`${app.url}/`);
    await page.getByRole('button', { name: 'Try the sample' }).waitFor();

    await browser.context.clearCookies();
    await page.goto(`${app.url}/console/usage?days=7`);
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    await page.goto(await linkFor('Bea'));
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    expect(page.url()).toBe(`${app.url}/console/usage?days=7`);

    // A link cannot lead to another site.
    await browser.context.clearCookies();
    await page.goto('about:blank');
    await page.goto(`${await linkFor('Cleo')}&next=//evil.example/`);
    await page.getByRole('heading', { name: 'One PDF, every row' }).waitFor();
    expect(page.url()).toBe(`${app.url}/`);
  });

  it('[EDT60] a response from before the sign-in that arrives after it: the operator stays signed in', async () => {
    await browser.context.clearCookies();
    const page = await open('about:blank');
    const early = Promise.withResolvers<() => Promise<void>>();
    await page.route('**/operator/v1/session', async (route) => {
      if (route.request().method() === 'GET') {
        const response = await route.fetch();
        early.resolve(() => route.fulfill({ response }));
      } else {
        await early.promise;
        await route.continue();
      }
    });
    await page.goto(await linkFor('Dora'));
    const signedIn = page.getByRole('button', { name: 'Signed in as Dora' });
    await signedIn.waitFor();
    const arrived = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/session'));
    await (await early.promise)();
    await arrived;
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await signedIn.count()).toBe(1);
  });

  it('[EDT61][EDT62] the sample on a new installation: two clicks to a finished run, under the default account', async () => {
    await app.signIn(browser.context);
    expect(await accounts()).toEqual([]);
    const page = await open(app.url);
    const user = new Clicks(page);
    await user.click('button', 'Try the sample');
    await page.locator('[data-page="1"] canvas').waitFor();
    await user.click('button', 'Run');
    const finished = page.getByRole('dialog', { name: 'Finished' });
    await finished.getByText('All 5 documents created').waitFor(PATIENT);
    expect(user.count).toBe(2);
    expect(await accounts()).toEqual(['Default']);
    await expect.poll(() => page.getByLabel('Account that jobs run under').inputValue()).toBe('Default');

    // Enter presses the main action.
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    const { items } = (await app.operator.get<Listed<{ id: string; settled_at: string }>>('/jobs')).body;
    const date = items[0]?.settled_at.slice(0, 10);
    expect(download.suggestedFilename()).toBe(`Certificate-${date}.zip`);
    expect(Object.keys(unzipSync(new Uint8Array(await readFile(await download.path()))))).toContain(
      'row_5.pdf',
    );
  });

  it('[EDT63] Enter: presses the main button of a dialog from a field, a switch and the heading; a dangerous one stays', async () => {
    const page = await open(app.url);
    await openProject(
      page,
      app.url,
      { name: 'letter.pdf', bytes: pagesPdf([{}]) },
      { name: 'people.csv', bytes: csvRows(3) },
    );
    const dialog = (name: string) => page.getByRole('dialog', { name });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    // Nothing is placed yet, so there is something to decide.
    await dialog('Run').getByText('The run would make 3 copies of letter.pdf').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add Name to the page' }).click();
    await page.locator('[data-overlay="text_1"]').waitFor();

    await page.getByRole('button', { name: 'Run options' }).click();
    await dialog('Run options').getByLabel('Last row').fill('2');
    await page.keyboard.press('Enter');
    await dialog('Finished').getByText('All 2 documents created').waitFor(PATIENT);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run options' }).click();
    await dialog('Run options').getByLabel('Flatten forms').check();
    await page.keyboard.press('Enter');
    await dialog('Finished').waitFor(PATIENT);
    await page.keyboard.press('Escape');

    await page.goto(app.url);
    await page.getByRole('button', { name: 'Delete letter' }).click();
    await dialog('Delete letter?').waitFor();
    await page.keyboard.press('Enter');
    expect(await dialog('Delete letter?').count()).toBe(1);
    await page.keyboard.press('Escape');

    await page.goto(`${app.url}/console/accounts`);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('second');
    await page.keyboard.press('Enter');
    await expect.poll(accounts).toEqual(['Default', 'second']);
  });

  it('[EDT62] several accounts and none chosen: Run asks which one', async () => {
    await app.operator.post('/accounts', { name: 'third' });
    const page = await open(app.url);
    await page.evaluate("localStorage.removeItem('rowpress.account')");
    await page.reload();
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.locator('[data-page="1"] canvas').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const options = page.getByRole('dialog', { name: 'Run options' });
    await options.getByText('Choose the account that the job belongs to.').waitFor();
    expect(await options.getByRole('button', { name: 'Create 5 documents' }).isDisabled()).toBe(true);
    await options.getByLabel('Account').selectOption('Default');
    await options.getByRole('button', { name: 'Create 5 documents' }).click();
    await page.getByRole('dialog', { name: 'Finished' }).waitFor(PATIENT);
  });

  it('[EDT62] Run without a session: continues when the user returns from the sign-in link', async () => {
    const page = await open(app.url);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.locator('[data-page="1"] canvas').waitFor();
    await browser.context.clearCookies();
    await page.reload();
    await page.locator('[data-page="1"] canvas').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog', { name: 'Sign in first' }).waitFor();
    await app.signIn(browser.context);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByRole('dialog', { name: 'Finished' }).waitFor(PATIENT);
  });

  it('[EDT61] Run and Save before the server has returned the session: wait for it instead of asking for a sign-in', async () => {
    const page = await open(app.url);
    await page.evaluate("localStorage.setItem('rowpress.account', 'Default')");
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.locator('[data-page="1"] canvas').waitFor();
    const held: Route[] = [];
    await page.route('**/operator/v1/session', (route) => void held.push(route));
    const release = async () => {
      for (const route of held.splice(0)) await route.continue();
    };
    for (const button of ['Save', 'Run']) {
      await page.reload();
      await page.locator('[data-page="1"] canvas').waitFor();
      await page.getByRole('button', { name: button, exact: true }).click();
      // The page reads the session when it loads, and again for the click.
      await expect.poll(() => held.length).toBe(2);
      expect(await page.getByRole('dialog').count()).toBe(0);
      await release();
      if (button === 'Save') await page.getByText('Saved', { exact: true }).waitFor(PATIENT);
    }
    await page.getByRole('dialog', { name: 'Finished' }).waitFor(PATIENT);
  });

  const row = (number: number) =>
    [`Name ${number}`, 'A note', '123456', '12.50', 'Oslo', 'Accepted', 'Yes', 'red', 'M', 'x', 'y'].join(
      ',',
    );
  const lines = (header: string, line: (number: number) => string) =>
    [header, ...Array.from({ length: 300 }, (_, index) => line(index + 1))].join('\r\n');
  const flat = flatForm([
    print.text(72, 72, 'Membership', 18),
    print.text(72, 120, 'Last name:'),
    print.box(160, 108, 200, 18),
    print.text(72, 150, 'First name:'),
    print.box(160, 138, 200, 18),
  ]);
  /** The walks of a new user: the files, the clicks up to the run, and what the last document has. */
  const walks = [
    {
      what: 'a flat form, with its detected fields',
      pdf: flat,
      csv: lines('First name,Last name', (number) => `Ada,Carter ${number}`),
      clicks: ['Open in the editor', 'Accept all (2)', 'Run'],
      last: async (made: Uint8Array) => (await pageTexts(made))[0],
      expected: expect.stringMatching(/Carter 300.*Ada/s),
    },
    {
      what: 'a form with fields',
      pdf: formPdf(),
      csv: lines([...FORM_FIELD_NAMES, 'kept'].join(','), row),
      clicks: ['Use the form’s own fields', 'Run'],
      last: readFields,
      expected: expect.objectContaining({ 'employee.name': 'Name 300', city: 'Oslo' }),
    },
  ];
  it.each(walks)(
    '[EDT71] two dropped files, $what: at most five clicks to the ZIP of 300 documents',
    async ({ pdf, csv, clicks, last, expected }) => {
      const page = await open(app.url);
      await page.evaluate("localStorage.setItem('rowpress.account', 'Default')");
      await page.reload();
      const user = new Clicks(page);
      await drop(page, { name: 'form.pdf', bytes: pdf }, { name: 'people.csv', bytes: csv });
      for (const name of clicks) await user.click('button', name);
      await page.getByText('All 300 documents created').waitFor(PATIENT);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        user.click('link', /^Download ZIP/),
      ]);
      expect(download.suggestedFilename()).toMatch(/^form-\d{4}-\d\d-\d\d\.zip$/);
      const files = unzipSync(new Uint8Array(await readFile(await download.path())));
      expect(Object.keys(files)).toHaveLength(301);
      expect(await last(files['row_300.pdf'] ?? new Uint8Array())).toEqual(expected);
      expect(user.count).toBe(clicks.length + 1);
      expect(user.count).toBeLessThanOrEqual(5);
    },
  );

  it('[EDT67] unsaved changes become saved: nothing moves', async () => {
    const page = await open(app.url);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.locator('[data-page="1"] canvas').waitFor();
    await page.getByText('Unsaved changes').waitFor();
    await tab(page, 'Data').click();
    await page.getByText('5 rows · 5 columns').waitFor();
    // Another test has saved the sample under its own name.
    await page.getByLabel('Project name').fill('Still');
    await page.getByLabel('Project name').press('Enter');
    await page.evaluate(`window.shifts = []; new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        window.shifts.push(...sources.map(({ node }) => value + ' ' + (node?.className ?? node?.nodeName ?? 'gone')));
    }).observe({ type: 'layout-shift', buffered: false })`);
    const places = () =>
      page.evaluate(`[...document.querySelectorAll('header button, header input, header select')]
        .map((it) => [it.getAttribute('aria-label') ?? it.title, Math.round(it.getBoundingClientRect().left * 10) / 10].join(' '))`);
    const before = await places();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor(PATIENT);
    expect(await places()).toEqual(before);
    // Entries are delivered with the next frames.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.evaluate('window.shifts')).toEqual([]);
  });

  it('all steps: no violation of the content security policy, no exception and no request to another host', () => {
    expect(browser.faults).toEqual([]);
  });
});
