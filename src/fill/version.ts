/**
 * The version of the bytes that this engine produces. A row's PDF is a function of (source, package, options, row, this
 * version): it changes whenever any of those bytes would. Prepared bases are cached under it, and the manifest contains it.
 */
export const ENGINE_VERSION = 'rowpress-fill/5';
