import { readScope } from '#engine/keys/key-kinds.ts';
import type { Principal } from '#http/principal.ts';
import { refuse } from '../errors.ts';
import type { RowInput } from './read-form.ts';
import type { RowSources } from './row-sources.ts';

/**
 * Rejects `rows_from` unless the key has the scope to read that surface. By default, a key that fills documents must
 * not read every subscriber or item of the account. An operator (`*`) can read what the console shows anyway.
 */
export function requireReadScope(
  sources: RowSources,
  { scopes }: Pick<Principal, 'scopes'>,
  rows: RowInput,
): void {
  if (rows.format !== 'stored') return;
  const source = sources.sourceOf(rows.selection);
  // A name without a source is rejected later, as an invalid field value.
  if (source === undefined || scopes.includes('*') || scopes.includes(readScope(source))) return;
  throw refuse(
    'ROWS_FROM_NOT_ALLOWED',
    `rows_from names "${source}", but this key may not read rows of that surface. Create a key with that scope: rowpress keys create --surface bulkfill --read ${source}, or "Read rows" in the console.`,
  );
}
