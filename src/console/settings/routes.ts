import { SYMBOLOGIES } from '#fill/package/symbologies.ts';
import { VERSION } from '#lib/version.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { settings as settingsSchema } from '../contract/settings.ts';
import type { OperatorApp } from '../operator-app.ts';

/** Settings that the editor needs before sign-in. They hold no secrets. */
export function settingsRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { settings } = parts;
  app.get(
    '/settings',
    { config: { public: true }, schema: { response: { 200: settingsSchema } } },
    async () => ({
      version: VERSION,
      seal_public_keys: settings.sealPublicKeys,
      limits: {
        max_rows: settings.maxRows,
        max_columns: settings.maxColumns,
        max_pages: settings.maxPages,
        max_cell_chars: settings.maxCellChars,
        max_pdf_bytes: settings.maxPdfBytes,
        max_package_bytes: settings.maxPackageBytes,
        max_assets_entries: settings.maxAssetsEntries,
        max_assets_entry_bytes: settings.maxAssetsEntryBytes,
        max_assets_bytes: settings.maxAssetsBytes,
      },
      keep_pdf_actions: settings.keepPdfActions,
      public_url: settings.publicUrl ?? null,
      base_path: settings.basePath,
      symbologies: SYMBOLOGIES,
      single_sign_on: parts.singleSignOn === undefined ? null : { label: parts.singleSignOn.label },
    }),
  );
}
