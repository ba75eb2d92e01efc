import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** How long a page may take for one step. Generous, because the machine may be shared and no test asserts speed. */
const WAIT_MS = 90_000;

/**
 * Launches Chromium from npm, or the installed one named by ROWPRESS_TEST_CHROMIUM.
 *
 * Disables the emulated GPU that the package enables by default: no test uses WebGL, and rendering pages through the
 * emulation took more than half of the CPU time of every browser test (40 s instead of 18 for five editor runs).
 */
export async function launchChromium(): Promise<Browser> {
  sparticuz.setGraphicsMode = false;
  const executablePath = process.env.ROWPRESS_TEST_CHROMIUM ?? (await sparticuz.executablePath());
  const browser = await chromium.launch({ executablePath, args: sparticuz.args, headless: true });
  browser.on('context', (context) => context.setDefaultTimeout(WAIT_MS));
  return browser;
}
