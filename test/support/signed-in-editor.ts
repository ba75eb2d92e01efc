import type { Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Surroundings } from '#main/start-context.ts';
import { startWebApp, type WebApp } from './web-app.ts';
import { openBrowser, type WebBrowser } from './web-page.ts';

/** Starts a server with the account `main` and a signed-in browser, for the tests of one `describe`. */
export interface SignedInEditor {
  readonly app: WebApp;
  readonly browser: WebBrowser;
  /** Opens a page that closes with its test. */
  openPage(): Promise<Page>;
}

export function useSignedInEditor(
  overrides: Readonly<Record<string, string>> = {},
  surroundings: Partial<Surroundings> = {},
): SignedInEditor {
  let app: WebApp | undefined;
  let browser: WebBrowser | undefined;
  beforeAll(async () => {
    app = await startWebApp(overrides, surroundings);
    await app.operator.post('/accounts', { name: 'main' });
    browser = await openBrowser(app.url);
    await app.signIn(browser.context);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  return {
    get app() {
      return started(app);
    },
    get browser() {
      return started(browser);
    },
    openPage: async () => {
      const page = await started(browser).context.newPage();
      onTestFinished(() => page.close());
      return page;
    },
  };
}

function started<T>(it: T | undefined): T {
  if (it === undefined) throw new Error('bug: the editor is used before the tests have started');
  return it;
}
