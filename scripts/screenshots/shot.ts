import type { Page } from 'playwright-core';

export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

export interface Shot {
  readonly name: string;
  readonly path: string;
  /** Window size, if not that of a desktop. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Steps to perform before the screenshot. */
  act?(page: Page): Promise<void>;
}
