import type { BrowserContext } from 'playwright-core';
import type { Surroundings } from '#main/start-context.ts';
import { type BulkfillServer, startBulkfillServer } from './bulkfill-server.ts';
import { type ConsoleClient, signedIn } from './console-client.ts';

/** The composed server with the built web app, on a free port, a database and a data directory of its own. */
export interface WebApp extends BulkfillServer {
  /** Somebody who is signed in, outside of any browser. */
  readonly operator: ConsoleClient;
  /** Gives a browser that session, so that only tests of the sign-in itself have to go through it. */
  signIn(context: BrowserContext): Promise<void>;
}

/** The web app is built once per run, by the project's set-up (`build-web.ts`). */
export async function startWebApp(
  overrides: Readonly<Record<string, string>> = {},
  surroundings: Partial<Surroundings> = {},
): Promise<WebApp> {
  const server = await startBulkfillServer(overrides, surroundings);
  const operator = await signedIn(server).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return {
    ...server,
    operator,
    signIn: (context) => putSession(context, operator),
  };
}

export async function putSession(context: BrowserContext, operator: ConsoleClient): Promise<void> {
  const [name = '', value = ''] = (operator.cookie ?? '').split('=', 2);
  await context.addCookies([{ name, value, url: operator.url, httpOnly: true, sameSite: 'Lax' }]);
}
