import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../test/support/chromium.ts';
import type { ConsoleClient } from '../../test/support/console-client.ts';
import type { DemoData } from '../../test/support/demo-data.ts';
import { putSession } from '../../test/support/web-app.ts';
import { consoleShots } from './console-shots.ts';
import { docsShots } from './docs-shots.ts';
import { editorShots } from './editor-shots.ts';
import { formShots } from './form-shots.ts';
import { DESK } from './shot.ts';

export interface Studio {
  readonly operator: ConsoleClient;
  readonly demo: DemoData;
  readonly out: string;
  /** Parts of names, separated by commas: only shots with one of them are taken. */
  readonly only: string | undefined;
  /** Address of the webhook receiver. */
  readonly receiver: string;
}

/** Takes every shot in both colour schemes. Scale 1 keeps the files small enough for a repository. */
export async function picturesOf({ operator, demo, out, only, receiver }: Studio): Promise<void> {
  const all = [...editorShots, ...formShots, ...(await consoleShots(operator, demo, receiver)), ...docsShots];
  const shots = all.filter(({ name }) => only?.split(',').some((part) => name.includes(part)) ?? true);
  for (const colorScheme of ['light', 'dark'] as const) {
    // One browser for each: in single-process mode it ends with its first context.
    const browser = await launchChromium();
    const context = await browser.newContext({ viewport: DESK, colorScheme, reducedMotion: 'reduce' });
    await putSession(context, operator);
    for (const shot of shots) {
      const page = await context.newPage();
      if (shot.size !== undefined) await page.setViewportSize(shot.size);
      await page.goto(`${operator.url}${shot.path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await loaded(page);
      await shot.act?.(page);
      await loaded(page);
      await page.screenshot({ path: join(out, `${shot.name}-${colorScheme}.png`) });
      await page.close();
    }
    await browser.close();
  }
}

/** Waits until nothing on the page is loading. */
async function loaded(page: Page): Promise<void> {
  const waiting = page.getByRole('status', { name: 'Loading' });
  for (let look = 0; look < 300 && (await waiting.count()) > 0; look += 1) await page.waitForTimeout(50);
}
