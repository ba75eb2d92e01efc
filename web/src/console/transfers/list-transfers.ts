import { callJson } from '../../api/operator-client.ts';
import { type Page, type Pages, usePages } from '../parts/use-pages.ts';
import type { SurfaceList } from './transfer.ts';

/** A list of the Subscribers surface in the shape the console's tables take. */
export function useTransfers<Item>(kind: 'imports' | 'exports', account: string): Pages<Item> {
  return usePages<Item>(`${kind} ${account}`, async (cursor, signal): Promise<Page<Item>> => {
    const list = await callJson<SurfaceList<Item>>(`/acting/subscribers/jobs/subscriber-${kind}`, {
      account,
      query: { starting_after: cursor, limit: 25 },
      signal,
    });
    return { items: list.data, next_cursor: list.pagination.next_cursor };
  });
}
