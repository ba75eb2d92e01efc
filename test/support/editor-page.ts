import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import type { Page } from 'playwright-core';
import { serveWebApp } from '#http/pages/serve-web-app.ts';
import { launchChromium } from './chromium.ts';

/**
 * Serves the built editor with the server's policy but without a server behind it: no user is signed in. Enough for
 * everything that happens only in the browser.
 */
export interface EditorBench {
  readonly url: string;
  /** A page and its problems: policy violations, errors, requests to other origins. */
  openPage(): Promise<EditorPage>;
  close(): Promise<void>;
}

export interface EditorPage {
  readonly page: Page;
  readonly broken: readonly string[];
}

const DIST = fileURLToPath(new URL('../../web/dist', import.meta.url));

export async function startEditorBench(): Promise<EditorBench> {
  if (!existsSync(DIST)) throw new Error('the web app is not built: npm run build');
  const app = fastify();
  app.get('/operator/v1/session', () => ({ signed_in: false }));
  await serveWebApp(app, '', DIST);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const browser = await launchChromium();
  // Shared by all pages: this Chromium is a single process and exits with its first context.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  return {
    url,
    openPage: async () => {
      const page = await context.newPage();
      const broken: string[] = [];
      page.on('pageerror', (error) => broken.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') broken.push(message.text());
      });
      page.on('request', (request) => {
        const outside = !request.url().startsWith(url) && !/^(blob|data):/.test(request.url());
        if (outside) broken.push(`asked ${request.url()}`);
      });
      return { page, broken };
    },
    close: async () => {
      await browser.close();
      await app.close();
    },
  };
}

/** Drops a PDF on the start screen and opens its canvas. */
export async function openInEditor(
  bench: EditorBench,
  page: Page,
  pdf: Uint8Array,
  name = 'form.pdf',
): Promise<void> {
  await page.goto(bench.url);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(pdf) });
  await page
    .getByRole('button', { name: /Place fields myself|Open in the editor/ })
    .first()
    .click();
  await page.locator('[data-page="1"] canvas').waitFor();
}
