/**
 * Names the bytes this engine makes. A row's PDF is a function of (source, package, options, row, this name): it
 * changes whenever any of those bytes would. Prepared bases are cached under it, and the manifest carries it.
 */
export const ENGINE_VERSION = 'rowpress-fill/4';
