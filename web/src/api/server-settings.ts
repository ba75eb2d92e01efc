import type { Settings } from '#console/contract/settings.ts';
import { type AssetLimits, DEFAULT_ASSET_LIMITS } from '#fill/draw/images/asset-limits.ts';
import { DEFAULT_ROW_LIMITS } from '#lib/rows/read-rows.ts';
import { callJson } from './operator-client.ts';

let asked: Promise<Settings> | null = null;

export function serverSettings(): Promise<Settings> {
  asked ??= callJson<Settings>('/settings').catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
}

/** Columns a row may have; the default while the server cannot be reached. */
export async function maxColumns(): Promise<number> {
  return serverSettings().then(
    ({ limits }) => limits.max_columns,
    () => DEFAULT_ROW_LIMITS.maxColumns,
  );
}

/** Limits of the pictures of a run; the defaults while the server cannot be reached. */
export async function assetLimits(): Promise<AssetLimits> {
  return serverSettings().then(
    ({ limits }) => ({
      maxEntries: limits.max_assets_entries,
      maxEntryBytes: limits.max_assets_entry_bytes,
      maxBytes: limits.max_assets_bytes,
    }),
    () => DEFAULT_ASSET_LIMITS,
  );
}

/** The server's ROWPRESS_KEEP_PDF_ACTIONS, so that a preview has the bytes of the row; false while the server cannot be reached. */
export async function keepsPdfActions(): Promise<boolean> {
  return serverSettings().then(
    ({ keep_pdf_actions }) => keep_pdf_actions,
    () => false,
  );
}
