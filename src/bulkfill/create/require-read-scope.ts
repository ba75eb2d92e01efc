import { readScope } from '#engine/keys/key-kinds.ts';
import type { Principal } from '#http/principal.ts';
import { refuse } from '../errors.ts';
import type { RowInput } from './read-form.ts';
import type { RowSources } from './row-sources.ts';

/**
 * Refuses `rows_from` unless the key was created with the right to read that surface. A key that fills documents must not
 * read every subscriber or item of the account by default. An operator (`*`) may read what the console shows anyway.
 */
export function requireReadScope(
  sources: RowSources,
  { scopes }: Pick<Principal, 'scopes'>,
  rows: RowInput,
): void {
  if (rows.format !== 'stored') return;
  const source = sources.sourceOf(rows.selection);
  // A name without a source is refused later, as a field with a wrong value.
  if (source === undefined || scopes.includes('*') || scopes.includes(readScope(source))) return;
  throw refuse(
    'ROWS_FROM_NOT_ALLOWED',
    `rows_from names "${source}", and this key may not read rows of that surface. Create a key that may: rowpress keys create --surface bulkfill --read ${source}, or "Read rows" in the console.`,
  );
}
