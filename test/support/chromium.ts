import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** A real Chromium from npm; an installed one may be named by ROWPRESS_TEST_CHROMIUM. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.ROWPRESS_TEST_CHROMIUM ?? (await sparticuz.executablePath());
  return chromium.launch({ executablePath, args: sparticuz.args, headless: true });
}
