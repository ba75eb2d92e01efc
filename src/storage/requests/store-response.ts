import type { Db } from '../database.ts';

/** A response as it went over the wire; replays send these very bytes. */
export interface StoredResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

export async function storeResponse(
  db: Db,
  accountId: string,
  scope: string,
  key: string,
  response: StoredResponse,
): Promise<void> {
  const result = await db
    .updateTable('request_keys')
    .set({ response_status: response.status, response_type: response.type, response_body: response.body })
    .where('account_id', '=', accountId)
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('response_status', 'is', null)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n)
    throw new Error('bug: a response was stored for a key that was not just claimed');
}
