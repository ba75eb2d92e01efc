import { refuse } from '../errors.ts';
import type { ExportOptions } from '../export-input.ts';
import type { CreateSettings } from './create-parts.ts';

/** The address that documents are verified at; undefined if the request does not name a column for it. */
export function verifyAddress(
  { verify, publicUrl }: Pick<CreateSettings, 'verify' | 'publicUrl'>,
  { verify_column }: Pick<ExportOptions, 'verify_column'>,
): string | undefined {
  if (verify_column === undefined) return undefined;
  if (!verify || publicUrl === undefined)
    throw refuse('INVALID_FIELD', 'verify_column needs a server with ROWPRESS_VERIFY=true; here it is off.');
  return publicUrl.replace(/\/$/, '');
}
