import { DEFAULT_ROW_LIMITS } from '#lib/rows/read-rows.ts';
import { callJson } from '../api/operator-client.ts';

/** What the server publishes to everybody who opens the editor. */
export interface ServerSettings {
  readonly seal_public_keys: readonly string[];
  readonly limits: {
    readonly max_rows: number;
    readonly max_columns: number;
    readonly max_pdf_bytes: number;
  };
  readonly keep_pdf_actions: boolean;
  readonly public_url: string | null;
  readonly base_path: string;
}

let asked: Promise<ServerSettings> | null = null;

export function serverSettings(): Promise<ServerSettings> {
  asked ??= callJson<ServerSettings>('/settings').catch((error: unknown) => {
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

/** The server's ROWPRESS_KEEP_PDF_ACTIONS, so that a preview has the bytes of the row; false while the server cannot be reached. */
export async function keepsPdfActions(): Promise<boolean> {
  return serverSettings().then(
    ({ keep_pdf_actions }) => keep_pdf_actions,
    () => false,
  );
}
