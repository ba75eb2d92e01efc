import { callJson } from '../api/operator-client.ts';

/** What the server tells anybody who opens the editor. */
export interface ServerSettings {
  readonly seal_public_keys: readonly string[];
  readonly limits: { readonly max_rows: number; readonly max_pdf_bytes: number };
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
