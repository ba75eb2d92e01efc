/** Times as the wire shows them. */
export const iso = (at: Date) => at.toISOString();
export const isoOrNull = (at: Date | null | undefined) => at?.toISOString() ?? null;
