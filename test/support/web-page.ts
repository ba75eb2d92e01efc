import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

/** A browser with one context whose pages report violations. */
export interface WebBrowser {
  readonly context: BrowserContext;
  /** Policy violations, uncaught errors, and requests to other machines, of all pages so far. */
  readonly faults: string[];
  open(address: string): Promise<Page>;
  close(): Promise<void>;
}

/** Elements wider than their container: the page itself, or a box that scrolls sideways. Code blocks are exempt. */
export function sidewaysScrolls(page: Page): Promise<string[]> {
  return page.evaluate(`[document.documentElement, ...document.querySelectorAll('body *')]
    .filter((box) => box.localName !== 'pre' && box.scrollWidth > box.clientWidth + 1)
    .filter((box) => box.localName === 'html' || /auto|scroll/.test(getComputedStyle(box).overflowX))
    .map((box) => box.localName + ' ' + (box.getAttribute('aria-label') ?? box.className) + ': ' + box.scrollWidth + ' > ' + box.clientWidth)`);
}

/** The focused element: `button New key`, `h1 Jobs`, `section Pages`; `body` if nothing has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const it = document.activeElement;
    if (it === null || it === document.body) return 'body';
    const name = it.getAttribute('aria-label') ?? it.labels?.[0]?.firstChild?.textContent ?? it.textContent;
    return it.localName + ' ' + name.trim().slice(0, 60);
  })()`);
}

/**
 * Focusable elements whose focus ring is missing or clipped by a box around them. A row's link draws its
 * ring around the row (`::after`).
 */
export async function hiddenRings(page: Page): Promise<string[]> {
  // Browsers draw the focus ring only after a key press.
  await page.keyboard.press('Tab');
  return page.evaluate(`[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((it) => it.checkVisibility() && !it.disabled)
    .flatMap((it) => {
      it.focus();
      if (document.activeElement !== it) return [];
      const edge = (box, pseudo) => {
        const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(box, pseudo);
        return outlineStyle === 'none' ? -Infinity : parseFloat(outlineWidth) + parseFloat(outlineOffset);
      };
      const name = it.localName + ' ' + (it.getAttribute('aria-label') ?? it.textContent.trim()).slice(0, 40);
      if (edge(it, '::after') > -Infinity) return [];
      const ringed = [it, it.parentElement].find((box) => edge(box) > -Infinity);
      if (ringed === undefined) return [name + ' has no ring'];
      const by = edge(ringed);
      const { left, right, top, bottom } = ringed.getBoundingClientRect();
      for (let box = ringed.parentElement; box !== document.body && !box.matches('dialog, [popover]'); box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box);
        const room = box.getBoundingClientRect();
        const cutX = overflowX !== 'visible' && (left - by < room.left - 1 || right + by > room.right + 1);
        const cutY = overflowY === 'hidden' && (top - by < room.top - 1 || bottom + by > room.bottom + 1);
        if (cutX || cutY) return [name + ': its ring is cut off by ' + box.localName + ' ' + (box.getAttribute('aria-label') ?? box.className)];
      }
      return [];
    })`);
}

/** The browser is one process and exits with its first context, so a test file has one of each. */
export async function openBrowser(origin: string): Promise<WebBrowser> {
  const browser: Browser = await launchChromium();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  const faults: string[] = [];
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('policy broken: ' + event.violatedDirective + ' ' + event.blockedURI))",
  );
  context.on('console', (message) => {
    if (/policy broken|content security policy/i.test(message.text())) faults.push(message.text());
  });
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) faults.push(`outside request: ${url}`);
  });
  return {
    context,
    faults,
    open: async (address) => {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    },
    close: () => browser.close(),
  };
}
