import { InvalidArgumentError } from 'commander';
import { uuid } from '#client/request-ids.ts';
import { tell } from '../answer.ts';

const KEY = /^[A-Za-z0-9._:-]{1,128}$/;
/** What Ingest accepts as a correlation id: a UUID or a ULID. */
const CORRELATION_ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25})$/i;

export function idempotencyKey(text: string): string {
  if (!KEY.test(text))
    throw new InvalidArgumentError('It must have 1 to 128 letters, digits and characters of "._:-".');
  return text;
}

export function correlationId(text: string): string {
  if (!CORRELATION_ID.test(text)) throw new InvalidArgumentError('It must be a UUID or a ULID.');
  return text;
}

/**
 * Returns the key of a request and prints it before the first attempt. Whatever happens afterwards, the same command with this key
 * continues the request instead of making a second one.
 */
export function announceKey(given: string | undefined): string {
  const key = given ?? uuid();
  tell(`rowpress: idempotency key ${key} (to repeat this command safely, add --idempotency-key ${key})`);
  return key;
}
