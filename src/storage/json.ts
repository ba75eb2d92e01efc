import { type RawBuilder, sql } from 'kysely';

/** A JSON parameter. Handed over as text, because the driver would turn a JS array into a PostgreSQL array. */
export function json<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::jsonb`;
}
