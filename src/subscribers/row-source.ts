import { z } from 'zod';
import type { RowSource } from '#surface.ts';
import { STATUSES } from './people/status.ts';
import type { SelectRows } from './rows/select-rows.ts';

const selectionQuery = z.strictObject({
  query: z.string().optional(),
  status: z.enum(STATUSES).optional(),
  cold_only: z.enum(['true', 'false']).optional(),
});

/** `subscribers:` and a query such as `status=Active&query=ada&cold_only=true`. Columns are in the order of an export. */
export function subscribersRowSource(selectRows: SelectRows): RowSource {
  return async (accountId, selection) => {
    const query = selectionQuery.safeParse(Object.fromEntries(new URLSearchParams(selection)));
    if (!query.success) return undefined;
    const { status, query: text, cold_only: cold } = query.data;
    const { rows } = await selectRows(accountId, {
      ...(text !== undefined && { query: text }),
      ...(status !== undefined && { status }),
      ...(cold === 'true' && { coldOnly: true }),
    });
    return rows;
  };
}
