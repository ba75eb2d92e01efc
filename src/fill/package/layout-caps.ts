/**
 * The most a layout may hold. Columns end with the last key, `column_9999`; how many of them a row may have is a setting
 * (ROWPRESS_MAX_COLUMNS). Free of the schema library, because the editor's first screen needs it.
 */
export const LAYOUT_CAPS = { overlays: 2000, formFields: 10_000, columns: 10_000, fonts: 20 } as const;
