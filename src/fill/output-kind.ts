/** What a run makes of its rows: one PDF each, one PDF of all, or both. */
export const OUTPUT_KINDS = ['zip', 'merged', 'both'] as const;
export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** The name of the PDF of all rows in a ZIP. */
export const MERGED_NAME = 'merged.pdf';
