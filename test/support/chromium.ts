import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/**
 * Launches Chromium from npm, or the installed one named by ROWPRESS_TEST_CHROMIUM.
 *
 * Disables the emulated GPU that the package enables by default: no test uses WebGL, and rendering pages through the
 * emulation took more than half of the CPU time of every browser test (40 s instead of 18 for five editor runs).
 */
export async function launchChromium(): Promise<Browser> {
  sparticuz.setGraphicsMode = false;
  const executablePath = process.env.ROWPRESS_TEST_CHROMIUM ?? (await sparticuz.executablePath());
  return chromium.launch({ executablePath, args: sparticuz.args, headless: true });
}
