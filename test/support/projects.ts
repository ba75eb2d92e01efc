import type { Answer, BulkfillClient, ErrorBody, Fields } from './bulkfill-client.ts';

export interface SavedProject {
  readonly project_id: string;
  readonly name: string;
  readonly version: number;
  readonly page_count: number;
  readonly columns: readonly { readonly key: string; readonly label: string }[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** Sends the parts of a project; `null` omits a part. */
export function saveProject(
  client: BulkfillClient,
  path: string,
  fields: Fields,
  init: { readonly method: 'POST' | 'PUT'; readonly headers: Record<string, string> },
): Promise<Answer<SavedProject & ErrorBody>> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else if (value) body.append(name, new Blob([value as Uint8Array<ArrayBuffer>]), `${name}.bin`);
  }
  return client.request(path, { ...init, body });
}
