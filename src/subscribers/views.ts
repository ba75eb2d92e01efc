/** Formats times for the wire. */
export const iso = (at: Date) => at.toISOString();
export const isoOrNull = (at: Date | null | undefined) => at?.toISOString() ?? null;
