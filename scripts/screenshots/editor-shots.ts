import type { Page } from 'playwright-core';
import { PHONE, type Shot } from './shot.ts';

/** The sample from the start screen to its finished documents. */
export const editorShots: readonly Shot[] = [
  { name: 'start', path: '/' },
  { name: 'editor', path: '/', act: openSample },
  {
    name: 'editor-field',
    path: '/',
    act: async (page) => {
      await openSample(page);
      await page.getByRole('tab', { name: 'Fields' }).click();
      await page
        .getByRole('tabpanel')
        .getByRole('button', { name: /^Name F·/ })
        .click();
    },
  },
  {
    name: 'data',
    path: '/',
    act: async (page) => {
      await openSample(page);
      await page.getByRole('tab', { name: 'Data' }).click();
    },
  },
  { name: 'preview', path: '/', act: openPreview },
  {
    name: 'phone-editor',
    path: '/',
    size: PHONE,
    act: async (page) => {
      await openSample(page);
      await page.getByRole('button', { name: 'Fields and data' }).click();
      await page
        .getByRole('tabpanel')
        .getByRole('button', { name: /^Name F·/ })
        .click();
    },
  },
  {
    name: 'save',
    path: '/',
    act: async (page) => {
      await openSample(page);
      await page.getByRole('button', { name: 'Changes since the last save' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'run',
    path: '/',
    act: async (page) => {
      await openSample(page);
      await page.getByRole('button', { name: 'Run options' }).click();
      await page.getByRole('button', { name: /^Create \d/ }).waitFor();
    },
  },
  {
    name: 'run-finished',
    path: '/',
    act: async (page) => {
      await openSample(page);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('link', { name: /^Download ZIP/ }).waitFor();
    },
  },
  {
    name: 'run-history',
    path: '/',
    act: async (page) => {
      await openSample(page);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('link', { name: /^Download ZIP/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Earlier runs' }).click();
      await page.getByRole('listitem').first().waitFor();
    },
  },
];

async function openSample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await page.getByLabel('Project name').waitFor();
  // With several accounts, none is selected by default.
  const account = page.getByLabel('Account that jobs run under');
  await account.waitFor();
  if ((await account.inputValue()) === '') await account.selectOption({ index: 1 });
  // The picture of the page appears after its frame.
  await page.locator('[data-page="1"] canvas').waitFor();
  await page.waitForLoadState('networkidle');
}

async function openPreview(page: Page): Promise<void> {
  await openSample(page);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Copy the SHA-256' }).waitFor();
  await page.locator('canvas[data-drawn]').first().waitFor();
  await page.waitForLoadState('networkidle');
}
