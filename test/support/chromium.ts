import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/**
 * A real Chromium from npm; an installed one may be named by ROWPRESS_TEST_CHROMIUM.
 *
 * It draws without the emulated graphics card that the package asks for by default: nothing here uses WebGL, and drawing pages
 * through the emulation took more than half of the processor time of every browser test (40 s against 18 for five times the editor).
 */
export async function launchChromium(): Promise<Browser> {
  sparticuz.setGraphicsMode = false;
  const executablePath = process.env.ROWPRESS_TEST_CHROMIUM ?? (await sparticuz.executablePath());
  return chromium.launch({ executablePath, args: sparticuz.args, headless: true });
}
