import { type RawBuilder, sql } from 'kysely';
import type { JsonValue } from './db-types.ts';

/** A JSON parameter. Handed over as text, because the driver would turn a JS array into a PostgreSQL array. */
export function json(value: unknown): RawBuilder<JsonValue> {
  return sql<JsonValue>`${JSON.stringify(value)}::json`;
}
