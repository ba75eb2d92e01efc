const WORDS: Readonly<Record<string, string>> = {
  TEXT_CLIPPED: 'text does not fit',
  GLYPH_MISSING: 'characters are missing',
  STYLE_MISSING: 'no bold or italic face for a character',
  VALUE_FORMAT_UNREAD: 'not a value of its format',
  CODE_TOO_SMALL: 'code too small to scan',
  FIELD_HIDDEN: 'the form field is hidden',
  CALCULATION_REMOVED: 'its calculation was removed',
  CELL_ERROR: 'the workbook shows an error',
  CODE_VALUE_BLANK: 'code without a value',
  CODE_VALUE_INVALID: 'value cannot be encoded',
  CODE_STATIC_INVALID: 'fixed value cannot be encoded',
  PAGE_MISSING: 'its page is missing',
  OPTION_UNKNOWN: 'not one of the options',
  FORM_FIELD_MISSING: 'form field is missing',
  IMAGE_MISSING: 'no picture of this name',
  IMAGE_INVALID: 'picture cannot be used',
  ROW_VALUE_INVALID: 'a value is not text',
  ROW_VALUE_TOO_LONG: 'a value is too long',
  ROW_RENDER_FAILED: 'could not be drawn',
  ROW_TOO_COMPLEX: 'too much for one document',
  ROW_TABLE_OVERFLOW: 'its rows do not fit the table',
  ROW_GROUP_BLANK: 'no value in the group columns',
  GROUP_VALUES_DIFFER: 'the rows of the group differ',
  ROW_VERIFY_NOT_BLANK: 'a value in the verify column',
  ROW_PASSWORD_DIFFERS: 'the rows of the group have different passwords',
  ROW_PASSWORD_BLANK: 'no password',
  ROW_PASSWORD_INVALID: 'the password has a character that is not allowed',
  ROW_PASSWORD_TOO_LONG: 'the password is too long',
};

/** Returns a short description of a manifest code. */
export const codeWords = (code: string): string => WORDS[code] ?? code.toLowerCase().replaceAll('_', ' ');

/** Starts a short description with a capital letter, for use as a title. */
export const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
