import type { ApiError } from '#lib/errors/api-error.ts';
import { isUuid } from '#lib/ids.ts';
import { refuse, type SubscribersCode } from '../errors.ts';

export interface ErrorDetails {
  readonly field?: string;
  readonly reason?: string;
  readonly resource?: { readonly type: string; readonly id: string };
}

/** A refusal in this surface's envelope. */
export function no(code: SubscribersCode, message?: string, details?: ErrorDetails): ApiError {
  return refuse(code, message, details === undefined ? {} : { members: { details } });
}

export const invalid = (field: string, reason: string): ApiError =>
  no('invalid_body', `${field} ${reason}.`, { field, reason });

/** Unknown and foreign ids are the same to a caller. */
export const gone = (type: string): ApiError => no('resource_not_found', `There is no such ${type}.`);

/** An id from a path. What cannot be an id names nothing. */
export function idFrom(id: string, type: string): string {
  if (!isUuid(id)) throw gone(type);
  return id.toLowerCase();
}

/** PostgreSQL's unique_violation: somebody else has the name. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
