import type { BrowserContext } from 'playwright-core';
import type { Surroundings } from '#main/start-context.ts';
import { type BulkfillServer, startBulkfillServer } from './bulkfill-server.ts';
import { type ConsoleClient, signedIn } from './console-client.ts';

/** The composed server with the built web app, with its own free port, database and data directory. */
export interface WebApp extends BulkfillServer {
  /** A signed-in session outside of any browser. */
  readonly operator: ConsoleClient;
  /** Adds that session to a browser, so that only sign-in tests have to go through the sign-in. */
  signIn(context: BrowserContext): Promise<void>;
}

/** The project's setup builds the web app once per run (`build-web.ts`). */
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
