import { z } from 'zod';
import { isUuid } from '#lib/ids.ts';
import type { Page } from './contract/list.ts';
import { refuse } from './errors.ts';

/** Lists of the operator API: `{items, next_cursor}`, at most a hundred at a time. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(300).optional(),
});

/** Makes a page from rows; one row more than the limit means that there is another page. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items: shown.map(show), next_cursor: more ? cursorOf(last) : null };
}

/** Makes a page of a list that is short enough to be read whole; the cursor is the id of the last item. */
export function pageWithin<Item extends { readonly id: string }>(
  all: readonly Item[],
  { limit, cursor }: z.output<typeof pageQuery>,
): Page<Item> {
  const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
  if (cursor !== undefined && start === 0) throw badCursor();
  return pageOf(
    all.slice(start),
    limit,
    (item) => item,
    ({ id }) => id,
  );
}

export function uuidCursor(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && !isUuid(cursor)) throw badCursor();
  return cursor;
}

export const badCursor = () =>
  refuse('INVALID_FIELD', 'cursor is not one that this list has given.', {
    members: { field: 'cursor' },
  });

/** Returns the id of a path. A text that is not an id is answered with 404. */
export function idFrom(text: string, what: string): string {
  if (!isUuid(text)) throw nothing(what);
  return text.toLowerCase();
}

export const nothing = (what: string) => refuse('NOT_FOUND', `There is no such ${what}.`);

/** A name: 1–200 characters, without control characters and without blanks at its ends. */
export const nameText = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?!\s)[^\p{Cc}]*(?<!\s)$/u, 'must not begin or end with a blank or hold control characters');

/** A search text. PostgreSQL cannot store NUL, so it is rejected. */
export const searchText = z
  .string()
  .max(300)
  .refine((text) => !text.includes('\0'), 'must not hold NUL characters');
