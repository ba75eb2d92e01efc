/**
 * Limits of a layout. The last column key is `column_9999`; the number of columns of a row is a setting
 * (ROWPRESS_MAX_COLUMNS). This file does not import the schema library, because the editor's first screen needs it.
 */
export const LAYOUT_CAPS = { overlays: 2000, formFields: 10_000, columns: 10_000, fonts: 20 } as const;
