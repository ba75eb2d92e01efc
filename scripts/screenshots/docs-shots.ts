import { PHONE, type Shot } from './shot.ts';

/** Shots of the documentation. */
export const docsShots: readonly Shot[] = [
  { name: 'docs-start', path: '/docs' },
  { name: 'docs-guide', path: '/docs/guides/run-behind-nginx' },
  { name: 'docs-api', path: '/docs/api/bulk-fill' },
  {
    name: 'docs-search',
    path: '/docs',
    act: async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('rotate key');
      await page.getByRole('option').first().waitFor();
    },
  },
  { name: 'phone-docs', path: '/docs/concepts/idempotency', size: PHONE },
];
