import type { Page } from '#console/contract/list.ts';
import type { ExportList } from '#subscribers/export/contract.ts';
import type { ImportList } from '#subscribers/import/contract.ts';
import { callJson } from '../../api/operator-client.ts';
import { type Pages, usePages } from '../parts/use-pages.ts';

interface Lists {
  readonly imports: ImportList;
  readonly exports: ExportList;
}
type Item<Kind extends keyof Lists> = Lists[Kind]['data'][number];

/** Reads a list of the Subscribers surface into the pages that the console's tables show. */
export function useTransfers<Kind extends keyof Lists>(kind: Kind, account: string): Pages<Item<Kind>> {
  return usePages(`${kind} ${account}`, async (cursor, signal): Promise<Page<Item<Kind>>> => {
    const list = await callJson<Lists[Kind]>(`/acting/subscribers/jobs/subscriber-${kind}`, {
      account,
      query: { starting_after: cursor, limit: 25 },
      signal,
    });
    return { items: list.data, next_cursor: list.pagination.next_cursor };
  });
}
