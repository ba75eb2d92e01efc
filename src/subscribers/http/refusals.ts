import type { ApiError } from '#lib/errors/api-error.ts';
import { isUuid } from '#lib/ids.ts';
import { refuse, type SubscribersCode } from '../errors.ts';

export interface ErrorDetails {
  readonly field?: string;
  readonly reason?: string;
  readonly resource?: { readonly type: string; readonly id: string };
}

/** Makes an error with details in the envelope of this surface. */
export function no(code: SubscribersCode, message?: string, details?: ErrorDetails): ApiError {
  return refuse(code, message, details === undefined ? {} : { members: { details } });
}

export const invalid = (field: string, reason: string): ApiError =>
  no('invalid_body', `${field} ${reason}.`, { field, reason });

/** The same error for unknown ids and for ids of other accounts. */
export const gone = (type: string): ApiError => no('resource_not_found', `No such ${type}.`);

/** Returns the id of a path. A text that is not an id gives 404. */
export function idFrom(id: string, type: string): string {
  if (!isUuid(id)) throw gone(type);
  return id.toLowerCase();
}

/** Whether the error is a unique_violation of PostgreSQL: the name is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
