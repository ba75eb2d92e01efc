import { IdempotentRequests } from '#http/idempotency/idempotent-requests.ts';
import { currentState } from '#http/idempotency/policies.ts';
import { type RequiredKeyRule, unquoted } from '#http/idempotency/request-key.ts';
import type { ApiError } from '#lib/errors/api-error.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { refuse } from '../errors.ts';
import type { CreateParts } from './create-parts.ts';
import { PROJECT_NAMED, RAW_ROWS } from './effective-body.ts';

/** The idempotent requests of this surface, create and retry: a required key, and replays of the current job. */
export type ExportRequests = IdempotentRequests<JobRecord>;

const invalidKey = () =>
  refuse(
    'INVALID_IDEMPOTENCY_KEY',
    'Idempotency-Key must be sent exactly once, with 1 to 128 characters of A-Z, a-z, 0-9, ".", "_", ":" and "-".',
  );

export const idempotencyKey: RequiredKeyRule = {
  header: 'idempotency-key',
  parse: (text) => {
    const key = unquoted(text);
    return /^[A-Za-z0-9._:-]{1,128}$/.test(key) ? key : undefined;
  },
  malformed: invalidKey,
  missing: invalidKey,
};

export function createExportRequests(parts: CreateParts): ExportRequests {
  return new IdempotentRequests(
    parts,
    currentState(parts.db, {
      surface: 'bulkfill',
      key: idempotencyKey,
      windowSeconds: parts.settings.idempotencyWindowSeconds,
      unreportedParts: [RAW_ROWS, PROJECT_NAMED],
      conflict: (differs_in) =>
        refuse(
          'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
          'This Idempotency-Key has already been used for a different export request.',
          { members: { differs_in } },
        ),
    }),
  );
}

export function quotaExceeded(): ApiError {
  return refuse('EXPORT_QUOTA_EXCEEDED', 'The rows of this job exceed what is left of this month’s quota.');
}
