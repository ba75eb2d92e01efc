import type { RequiredKeyRule } from '#http/idempotency/request-key.ts';
import { refuse } from '../errors.ts';

/** RFC 9562: version 4 or 7, variant 10. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** 128 bits in Crockford's base 32: 26 digits, the first at most 7. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Parses a correlation id into the spelling under which it is stored: letter case does not count. */
export function parseCorrelationId(text: string): string | undefined {
  const uuid = text.toLowerCase();
  if (UUID.test(uuid)) return uuid;
  const ulid = text.toUpperCase();
  return ULID.test(ulid) ? ulid : undefined;
}

/** The request key of every write. */
export const correlationId: RequiredKeyRule = {
  header: 'x-correlation-id',
  parse: parseCorrelationId,
  missing: () => refuse('invalid-correlation-id', 'X-Correlation-Id is required for every write.'),
  malformed: () =>
    refuse('invalid-correlation-id', 'X-Correlation-Id must be one UUID of version 4 or 7, or one ULID.'),
};
