import { isUuid } from '#lib/ids.ts';
import { refuse } from '../errors.ts';

/** The last item of a page whose items are sorted by creation time, then by id. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Opaque to clients. */
export const encodeCursor = ({ createdAt, id }: ListPosition) =>
  Buffer.from(`${createdAt.toISOString()}|${id}`).toString('base64url');

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function decodeCursor(cursor: string): ListPosition {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('|');
  const createdAt = new Date(time);
  // The database would fail on an invalid time or id.
  if (!INSTANT.test(time) || Number.isNaN(createdAt.getTime()) || !isUuid(id)) throw invalidCursor();
  return { createdAt, id };
}

export const invalidCursor = () =>
  refuse('INVALID_FIELD', 'cursor must be a next_cursor from an earlier page of this list.');
