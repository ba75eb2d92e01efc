import { type RawBuilder, sql } from 'kysely';
import type { JsonValue } from './db-types.ts';

/** Makes a JSON parameter. Passes it as text, because the driver would convert a JS array to a PostgreSQL array. */
export function json(value: unknown): RawBuilder<JsonValue> {
  return sql<JsonValue>`${JSON.stringify(value)}::json`;
}
