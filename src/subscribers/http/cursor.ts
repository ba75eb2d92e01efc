import { isUuid } from '#lib/ids.ts';
import type { Position } from '#storage/subscribers/people.ts';
import { invalid } from './refusals.ts';

/** Opaque to clients: the position of the last item, so that pages stay correct while items are added and deleted. */
function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

export function decodeCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!/^\d{1,15}$/.test(time) || !isUuid(id))
    throw invalid('starting_after', 'must be a next_cursor of this list');
  return { createdAt: new Date(Number(time)), id };
}

/** Makes a page. `rows` has one more than the limit if there is another page. */
export function pageOf<T extends { readonly created_at: Date; readonly id: string }, W>(
  rows: readonly T[],
  limit: number,
  show: (row: T) => W,
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    data: shown.map(show),
    pagination: {
      has_more: more,
      next_cursor: more ? encodeCursor({ createdAt: last.created_at, id: last.id }) : null,
    },
  };
}
