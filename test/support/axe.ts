import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * Returns the axe-core violations of the current page, one per line. Injects axe-core without going through the page's policy.
 * Only violations leave the page: transferring the passes as well took as long as the check. Transitions are ended first, because a
 * colour halfway between two themes has a contrast that no user sees for longer than a tenth of a second.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(
    'for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()',
  );
  await page.evaluate(source);
  const violations = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )) as Violation[];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  );
}
