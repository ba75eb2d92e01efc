/**
 * The outcome of one row, with the names of manifest.json. A row is *failed* if it has no PDF, *partial* if something was
 * skipped or nothing was applied, otherwise *success*. Notes do not count as skipped.
 */
export type RowStatus = 'success' | 'partial' | 'failed';

/** Each of these skips one overlay or form mapping. */
export type SkipCode =
  | 'CODE_VALUE_BLANK'
  | 'CODE_VALUE_INVALID'
  | 'CODE_STATIC_INVALID'
  | 'PAGE_MISSING'
  | 'OPTION_UNKNOWN'
  | 'FORM_FIELD_MISSING'
  | 'IMAGE_MISSING'
  | 'IMAGE_INVALID';
/** The overlay is drawn anyway. */
export type NoteCode =
  | 'TEXT_CLIPPED'
  | 'GLYPH_MISSING'
  | 'STYLE_MISSING'
  | 'VALUE_FORMAT_UNREAD'
  | 'CODE_TOO_SMALL'
  | 'CELL_ERROR'
  | 'FIELD_HIDDEN'
  | 'CALCULATION_REMOVED'
  | 'GROUP_VALUES_DIFFER';
export type RowErrorCode =
  | 'ROW_VALUE_INVALID'
  | 'ROW_VALUE_TOO_LONG'
  | 'ROW_RENDER_FAILED'
  | 'ROW_TOO_COMPLEX'
  | 'ROW_PASSWORD_BLANK'
  | 'ROW_PASSWORD_INVALID'
  | 'ROW_PASSWORD_TOO_LONG'
  | 'ROW_PASSWORD_DIFFERS'
  | 'ROW_VERIFY_NOT_BLANK'
  | 'ROW_GROUP_BLANK'
  | 'ROW_TABLE_OVERFLOW';

export interface RowWarning {
  readonly code: SkipCode | NoteCode;
  readonly message: string;
  readonly overlay_id: string;
  /** In a group: the number of the row in the input, if the warning is about one row of a table. */
  readonly input_row_number?: number;
}
export interface RowError {
  readonly code: RowErrorCode;
  readonly message: string;
}

/** Overlays and form mappings count equally. Stickers that the run leaves out are not counted. */
export interface RowTally {
  readonly applied: number;
  readonly skipped: number;
}

export function rowStatus({ applied, skipped }: RowTally, error: RowError | null): RowStatus {
  if (error !== null) return 'failed';
  return skipped > 0 || applied === 0 ? 'partial' : 'success';
}
