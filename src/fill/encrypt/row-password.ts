import { GroupCells } from '#lib/rows/group-cells.ts';
import type { RowError } from '../results/row-outcome.ts';
import { firstOther } from '../values/check-group.ts';
import type { Cell, RowCells } from '../values/row-cells.ts';

/** A password of revision 6 has at most this many bytes of UTF-8 (ISO 32000-2 §7.6.4.3.3). */
export const MAX_PASSWORD_BYTES = 127;

const encoder = new TextEncoder();

/** RFC 4013: other spaces become a space, and characters of RFC 3454 table B.1 are removed. */
const OTHER_SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu;
const REMOVED = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|[\u200c\u200d]|\u2060|[\ufe00-\ufe0f]|\ufeff/gu;
/** Characters that RFC 4013 prohibits: controls, private use, surrogates, noncharacters, and those that change the reading order. */
const PROHIBITED =
  /[\p{Cc}\p{Co}\p{Cs}\u06dd\u070f\u180e\u200e\u200f\u2028-\u202e\u2061-\u2063\u206a-\u206f\u2ff0-\u2ffb\ufdd0-\ufdef\ufff9-\uffff\p{Noncharacter_Code_Point}\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}]/u;

/** The password of a document: that of its row, or the one that all rows of its group have. */
export function documentPassword(cells: RowCells, column: string): ReturnType<typeof rowPassword> {
  const other = cells instanceof GroupCells ? firstOther(cells, column) : undefined;
  if (other !== undefined)
    return failed(
      'ROW_PASSWORD_DIFFERS',
      `The rows of the group have different values in ${column} (row ${other} is the first), so the document has no single password.`,
    );
  return rowPassword(cells.get(column), column);
}

/** The bytes of a row's password (SASLprep, RFC 4013), or the reason why the row fails. No message contains the value. */
export function rowPassword(
  cell: Cell | undefined,
  column: string,
): { readonly password: Uint8Array } | { readonly error: RowError } {
  if (cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === ''))
    return failed('ROW_PASSWORD_BLANK', `${column} is blank, so the row has no password.`);
  if (typeof cell !== 'string')
    return failed('ROW_VALUE_INVALID', `${column} holds an object or an array instead of text.`);
  const prepared = cell.replace(OTHER_SPACES, ' ').replace(REMOVED, '').normalize('NFKC');
  if (prepared === '')
    return failed('ROW_PASSWORD_BLANK', `${column} has no visible character, so the row has no password.`);
  if (PROHIBITED.test(prepared))
    return failed('ROW_PASSWORD_INVALID', `${column} has a character that a password cannot have.`);
  const password = encoder.encode(prepared);
  if (password.length > MAX_PASSWORD_BYTES)
    return failed(
      'ROW_PASSWORD_TOO_LONG',
      `${column} has ${password.length} bytes of UTF-8; a password has at most ${MAX_PASSWORD_BYTES}.`,
    );
  return { password };
}

function failed(code: RowError['code'], message: string): { readonly error: RowError } {
  return { error: { code, message } };
}
