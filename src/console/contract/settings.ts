import { z } from 'zod';
import { listOf } from './list.ts';

/** What the editor needs before anyone has signed in. Holds no secrets. */
export const settings = z.strictObject({
  version: z.string(),
  seal_public_keys: listOf(z.string()),
  limits: z.strictObject({
    max_rows: z.number(),
    max_columns: z.number(),
    max_pages: z.number(),
    max_cell_chars: z.number(),
    max_pdf_bytes: z.number(),
    max_package_bytes: z.number(),
    max_assets_entries: z.number(),
    max_assets_entry_bytes: z.number(),
    max_assets_bytes: z.number(),
  }),
  keep_pdf_actions: z.boolean(),
  public_url: z.string().nullable(),
  base_path: z.string(),
  symbologies: listOf(z.string()),
  /** Text of the button that signs in with OpenID Connect; null: one-time links only. */
  single_sign_on: z.strictObject({ label: z.string() }).nullable(),
});
export type Settings = z.infer<typeof settings>;
