import type { Page } from 'playwright-core';

export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

export interface Shot {
  readonly name: string;
  readonly path: string;
  /** Another window than that of a desk. */
  readonly size?: { readonly width: number; readonly height: number };
  /** What a person does there before the picture is taken. */
  act?(page: Page): Promise<void>;
}
