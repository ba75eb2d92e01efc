import { restoreCell } from '#lib/records/csv/safe-cell.ts';
import { type Field, type FieldValue, parseFieldValue } from '../fields/field-value.ts';
import { parseCountry } from '../people/country.ts';
import { parseEmail } from '../people/email.ts';
import { parseStatus, type Status } from '../people/status.ts';

/** The columns of each field. Made once when the import is accepted, so that every pass judges rows by the same rules. */
export interface RowPlan {
  readonly email: number;
  readonly name?: number;
  readonly country?: number;
  readonly status?: number;
  readonly fields: readonly { readonly column: number; readonly field: Field }[];
}

/** A row that can be imported. Absent members keep the stored value. */
export interface ImportRow {
  readonly email: string;
  readonly key: string;
  readonly name: string;
  readonly country: string | undefined;
  readonly status: Status | undefined;
  readonly fields: Readonly<Record<string, FieldValue>> | undefined;
}

export interface RowProblem {
  /** Column index, from 0. */
  readonly column: number;
  readonly code: RowCode;
  readonly reason: string;
}

type RowCode =
  | 'email_missing'
  | 'email_invalid'
  | 'name_invalid'
  | 'country_invalid'
  | 'status_invalid'
  | 'value_invalid'
  | 'value_too_long';

export type ReadRow =
  | { readonly ok: true; readonly row: ImportRow }
  | { readonly ok: false; readonly problem: RowProblem };

export const MAX_NAME_CHARS = 500;

const failed = (column: number, code: RowCode, reason: string): ReadRow => ({
  ok: false,
  problem: { column, code, reason },
});

/** Validates one row. The first problem fails it: email first, then the other fields by importance. */
export function readRow(plan: RowPlan, cells: readonly string[]): ReadRow {
  const cell = (column: number | undefined) => (column === undefined ? '' : restoreCell(cells[column] ?? ''));
  const address = cell(plan.email);
  if (address.trim() === '') return failed(plan.email, 'email_missing', 'The email is missing.');
  const email = parseEmail(address);
  if (email === undefined) return failed(plan.email, 'email_invalid', 'This is not an email address.');
  const name = cell(plan.name).trim();
  if (name.length > MAX_NAME_CHARS)
    return failed(plan.name ?? 0, 'value_too_long', `The name has more than ${MAX_NAME_CHARS} characters.`);
  const countryCell = cell(plan.country).trim();
  const country = countryCell === '' ? undefined : parseCountry(countryCell);
  if (countryCell !== '' && country === undefined)
    return failed(
      plan.country ?? 0,
      'country_invalid',
      'This is neither a two-letter country code nor a country name.',
    );
  const statusCell = cell(plan.status).trim();
  const status = statusCell === '' ? undefined : parseStatus(statusCell);
  if (statusCell !== '' && status === undefined)
    return failed(plan.status ?? 0, 'status_invalid', 'This is not a subscriber status.');
  let fields: Record<string, FieldValue> | undefined;
  for (const { column, field } of plan.fields) {
    const parsed = parseFieldValue(field, cell(column));
    if (!parsed.ok) return failed(column, parsed.code, `The value ${parsed.reason}.`);
    if (parsed.value === undefined) continue;
    fields ??= {};
    fields[field.id] = parsed.value;
  }
  return { ok: true, row: { email: email.address, key: email.key, name, country, status, fields } };
}
