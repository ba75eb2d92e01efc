import type { IncomingMessage } from 'node:http';
import { refuse } from '../errors.ts';

/** RFC 9562: version 4 or 7, variant 10. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** 128 bits in Crockford's base 32: 26 digits, the first at most 7. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** In the one spelling under which it is kept, so that letter case makes no second request. */
export function parseCorrelationId(text: string): string | undefined {
  const uuid = text.toLowerCase();
  if (UUID.test(uuid)) return uuid;
  const ulid = text.toUpperCase();
  return ULID.test(ulid) ? ulid : undefined;
}

export function requireCorrelationId(request: IncomingMessage): string {
  const values = request.headersDistinct['x-correlation-id'] ?? [];
  const [only] = values;
  if (only === undefined) throw refuse('invalid-correlation-id', 'Every write carries X-Correlation-Id.');
  const id = values.length === 1 ? parseCorrelationId(only) : undefined;
  if (id === undefined)
    throw refuse('invalid-correlation-id', 'X-Correlation-Id is one UUID of version 4 or 7, or one ULID.');
  return id;
}
